import { readFile } from 'node:fs/promises'

/** The bundled rules: beside the program, or in the build when it runs from the sources. */
const PLACES = ['../rules.yaml.gz', '../../dist/rules.yaml.gz']

/** The community rules at the time of the build. */
export async function readBundledRules(): Promise<Uint8Array> {
  for (const place of PLACES) {
    try {
      return await readFile(new URL(place, import.meta.url))
    } catch {}
  }
  throw new Error('the bundled rules are missing: build the service again')
}
