// Makes a single-file executable of the built tool: Node.js itself, with the parts of the tool, their compiled code and the
// rules inside. It needs nothing else where it runs, not even Node.js.
//
//   npm run package          → packages/cli/dist/single-file/omen
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiledCode } from './compiled-code.mjs'

/** Where Node.js looks for what was put into it. */
const RESOURCE = 'NODE_SEA_BLOB'
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const POSTJECT = createRequire(import.meta.url).resolve('postject/dist/cli.js')

const isMac = process.platform === 'darwin'
const isWindows = process.platform === 'win32'

const dist = resolve(dirname(fileURLToPath(import.meta.url)), '../dist')
const target = join(dist, 'single-file', isWindows ? 'omen.exe' : 'omen')

/** Runs a program. What it says on the way is shown only when it fails. */
function run(program, ...args) {
  execFileSync(program, args, { cwd: dist, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Files of the built tool that are put into the executable, under the names by which `readPackaged` asks for them. */
function packagedFiles() {
  const parts = readdirSync(join(dist, 'parts')).map((name) => `parts/${name}`)
  const keys = existsSync(join(dist, 'release-keys.pem')) ? ['release-keys.pem'] : []
  return [...parts, 'rules.yaml', 'rules.compiled', 'rule.schema.json', 'worker.js', ...keys]
}

/** What Node.js reads at its start: the launcher as the main script, all else as assets. */
function makeBlob(folder) {
  const assets = Object.fromEntries(packagedFiles().map((name) => [name, join(dist, name)]))
  for (const [file, code] of compiledCode({ dist, folder })) {
    const path = join(folder, `code-of-${file}`)
    writeFileSync(path, code)
    assets[`code/${file}`] = path
  }
  const output = join(folder, 'blob')
  const config = {
    // Relative, because Node.js keeps the path in the executable.
    main: 'omen.js',
    output,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets,
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  run(process.execPath, '--experimental-sea-config', join(folder, 'config.json'))
  return output
}

const folder = mkdtempSync(join(tmpdir(), 'omen-package-'))
try {
  const blob = makeBlob(folder)
  mkdirSync(dirname(target), { recursive: true })
  // Finished under another name: a program that is half there is worse than none, and one that runs cannot be written to.
  const unfinished = `${target}.unfinished`
  copyFileSync(process.execPath, unfinished)
  chmodSync(unfinished, 0o755)
  // macOS runs signed programs only, and the signature of Node.js ends with the change.
  if (isMac) run('codesign', '--remove-signature', unfinished)
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  run(process.execPath, POSTJECT, unfinished, RESOURCE, blob, '--sentinel-fuse', FUSE, ...segment)
  if (isMac) run('codesign', '--sign', '-', unfinished)
  renameSync(unfinished, target)
  copyFileSync(join(dist, 'THIRD-PARTY-LICENSES'), join(dirname(target), 'THIRD-PARTY-LICENSES'))
  console.log(`Wrote ${target}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
