// Runs after the compiler: makes the program executable, and puts the rule schema, the rules and an empty database beside it.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zipSync } from 'fflate'
import { readRuleFolder } from '../dist/operator/release-files.js'
import { packPackage } from '../dist/releases/pack-package.js'
import { makeDatabase } from '../dist/store/engines/make-database.js'
import { SETTINGS } from '../dist/store/engines/pglite.js'

chmodSync('dist/omen-server.js', 0o755)
copyFileSync('../../rules/rule.schema.json', 'dist/rule.schema.json')

// The rules of this checkout, for the catalogue of a service that has not published any.
const { bytes } = await packPackage(await readRuleFolder('../../rules'), { channel: 'public' })
writeFileSync('dist/rules.yaml.gz', bytes)

await packDatabase('dist/database.zip', 'dist/database.json')

/** Initializes an embedded database and packs it, unless that was done with the same engine and settings. It takes 7 s of CPU. */
async function packDatabase(target, about) {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(readFileSync(join(dirname(engine), '..', 'package.json'), 'utf8'))
  const origin = JSON.stringify({ pglite: version, settings: SETTINGS })
  if (existsSync(target) && existsSync(about) && readFileSync(about, 'utf8') === origin) return
  rmSync(target, { force: true })
  const folder = mkdtempSync(join(tmpdir(), 'omen-database-'))
  try {
    await makeDatabase(join(folder, 'database'), SETTINGS)
    writeFileSync(target, zipSync(filesIn(join(folder, 'database'))))
    writeFileSync(about, origin)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The files below a folder by name, and its folders with a slash at the end: PostgreSQL needs the empty ones too. */
function filesIn(folder) {
  const files = {}
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    if (statSync(join(folder, name)).isDirectory()) files[`${name}/`] = new Uint8Array(0)
    else files[name] = readFileSync(join(folder, name))
  }
  return files
}
