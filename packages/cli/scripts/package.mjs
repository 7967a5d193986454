// Makes a single-file executable from the built tool: Node.js with the tool's parts, their compiled code and the rules inside. It
// runs on machines without Node.js.
//
//   npm run package          → packages/cli/dist/single-file/omen
import { execFileSync, spawnSync } from 'node:child_process'
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
import { findNode24 } from '../../../scripts/node-24.mjs'
import { compiledCode } from './compiled-code.mjs'

/** Where Node.js looks for the application inside its own executable. */
const RESOURCE = 'NODE_SEA_BLOB'
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const POSTJECT = createRequire(import.meta.url).resolve('postject/dist/cli.js')

const isMac = process.platform === 'darwin'
const isWindows = process.platform === 'win32'

const dist = resolve(dirname(fileURLToPath(import.meta.url)), '../dist')
const target = join(dist, 'single-file', isWindows ? 'omen.exe' : 'omen')

/** Runs a program. Its output is shown only when it fails. */
function run(program, ...args) {
  execFileSync(program, args, { cwd: dist, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** The files of the built tool that go into the executable, under the names that `readPackaged` uses. */
function packagedFiles() {
  const parts = readdirSync(join(dist, 'parts')).map((name) => `parts/${name}`)
  const keys = existsSync(join(dist, 'release-keys.pem')) ? ['release-keys.pem'] : []
  return [...parts, 'rules.yaml', 'rules.compiled', 'rule.schema.json', 'worker.js', ...keys]
}

/** The blob that Node.js reads when it starts: the launcher as the main script, all other files as assets. */
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

function makeExecutable(folder) {
  const blob = makeBlob(folder)
  mkdirSync(dirname(target), { recursive: true })
  // Written under another name first: nobody can start half an executable, and one that is running cannot be overwritten.
  const unfinished = `${target}.unfinished`
  copyFileSync(process.execPath, unfinished)
  chmodSync(unfinished, 0o755)
  // macOS runs only signed programs, and the change makes the signature of Node.js invalid.
  if (isMac) run('codesign', '--remove-signature', unfinished)
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
  run(process.execPath, POSTJECT, unfinished, RESOURCE, blob, '--sentinel-fuse', FUSE, ...segment)
  if (isMac) run('codesign', '--sign', '-', unfinished)
  renameSync(unfinished, target)
  copyFileSync(join(dist, 'THIRD-PARTY-LICENSES'), join(dirname(target), 'THIRD-PARTY-LICENSES'))
  console.log(`Wrote ${target}, which contains Node.js ${process.versions.node}`)
}

// Compiled code fits only the Node.js that made it: the Node.js that goes into the executable also runs this script.
const node24 = findNode24()
if (node24 !== undefined && node24 !== process.execPath) {
  process.exitCode = spawnSync(node24, [fileURLToPath(import.meta.url)], { stdio: 'inherit' }).status ?? 1
} else {
  const folder = mkdtempSync(join(tmpdir(), 'omen-package-'))
  try {
    makeExecutable(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
