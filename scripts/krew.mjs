// Packs executables of a release for krew, kubectl's plugin manager, and writes the manifest for its index from deploy/krew.yaml.
//
//   npm run package                   on each platform; rename the file to omen-<version>-<platform>
//   npm run krew -- --url https://downloads.example.com/omen --homepage https://omen.example.com omen-0.1.0-linux-x64 …
//                                     → krew/omen.yaml, krew/kubectl-omen-0.1.0-linux-amd64.tar.gz, …
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeRelease } from './krew/release.mjs'

const USAGE = `usage: npm run krew -- --url <https://…> --homepage <https://…> [--out <folder>] <omen-version-platform>…

  --url       the folder from which users will download the archives
  --homepage  the web page of the plugin
  --out       the folder to write to (default: krew)`

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (...path) => readFileSync(join(...path))

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: 'string' }, homepage: { type: 'string' }, out: { type: 'string', default: 'krew' } },
  })
  if (!values.url || !values.homepage || positionals.length === 0) throw new Error(USAGE)
  const { archives, manifest } = makeRelease({
    template: String(read(root, 'deploy/krew.yaml')),
    url: values.url,
    homepage: values.homepage,
    executables: positionals.map((path) => ({ name: basename(path), bytes: read(path) })),
    licenses: [
      { name: 'LICENSE', bytes: read(root, 'LICENSE') },
      { name: 'THIRD-PARTY-LICENSES', bytes: read(root, 'packages/cli/dist/THIRD-PARTY-LICENSES') },
    ],
  })
  mkdirSync(values.out, { recursive: true })
  for (const { name, bytes } of [...archives, { name: 'omen.yaml', bytes: manifest }]) {
    const path = join(values.out, name)
    writeFileSync(path, bytes)
    console.log(`Wrote ${path}`)
  }
}

try {
  main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
