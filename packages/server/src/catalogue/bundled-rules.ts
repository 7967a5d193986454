import { readFile } from 'node:fs/promises'

/** Where the rules that ship with the service are: packed beside the program, or in its build when it runs from the sources. */
const PLACES = ['../rules.yaml.gz', '../../dist/rules.yaml.gz']

/** The community's rules as they were when the service was built. */
export async function readBundledRules(): Promise<Uint8Array> {
  for (const place of PLACES) {
    try {
      return await readFile(new URL(place, import.meta.url))
    } catch {}
  }
  throw new Error('the service was installed without the rules that ship with it: build it again')
}
