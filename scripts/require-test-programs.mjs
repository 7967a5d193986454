// The tests use real programs: a browser, terminals, shells, a second Node.js. On Debian, root installs the missing ones from here;
// elsewhere this script prints what to install, and fails.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findNode24, NODE_24 } from './node-24.mjs'

const PROGRAMS = [
  { package: 'chromium', file: '/usr/bin/chromium', use: 'runs the engine and the pages' },
  { package: 'postgresql', found: hasPostgres, file: '/usr/lib/postgresql', use: 'stores the state of the service' },
  { package: 'systemd', file: '/usr/bin/systemd-analyze', use: 'checks the unit file of the service' },
  { package: 'util-linux', file: '/usr/bin/unshare', use: 'mounts small disks in a namespace' },
  { package: 'tmux', file: '/usr/bin/tmux', use: 'is the terminal that shows the tool' },
  { package: 'bsdutils', file: '/usr/bin/script', use: 'records what the tool writes to a terminal' },
  { package: 'kubernetes-client', found: () => isOnPath('kubectl'), file: 'kubectl', use: 'reads pods' },
  { package: 'zsh', file: '/usr/bin/zsh', use: 'runs the completion script' },
  { package: 'fish', file: '/usr/bin/fish', use: 'runs the completion script' },
]

requireDebianPackages()
requireNode24()

function requireDebianPackages() {
  const findMissing = () => PROGRAMS.filter(({ file, found }) => !(found ? found() : existsSync(file)))
  let missing = findMissing()
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const aptGet = (...args) => spawnSync('apt-get', args, { stdio: 'inherit', env })
    aptGet('update', '-qq')
    aptGet('install', '-y', '-qq', '--no-install-recommends', ...missing.map((program) => program.package))
    missing = findMissing()
  }
  if (missing.length === 0) return
  for (const { file, use } of missing) console.error(`Missing: ${file} (${use})`)
  console.error(`Install: apt-get update && apt-get install -y ${missing.map((program) => program.package).join(' ')}`)
  process.exit(1)
}

/** `npm ci --omit=optional` installs without it, and `npm ci` does so silently when the download fails. */
function requireNode24() {
  if (process.version.startsWith('v24.') || findNode24() !== undefined) return
  const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const name = `node-${process.platform}-${process.arch}`
  if (!(name in optionalDependencies)) {
    console.error(`Node.js 24: npm has no package for ${name.slice(5)}, so all tests run on ${process.version} alone.`)
    return
  }
  console.error(`Missing: ${NODE_24} (Node.js 24 runs a part of the tests a second time)`)
  console.error('Install: npm ci --include=optional')
  process.exit(1)
}

/** The server, not only its client. Debian has a folder for each version. */
function hasPostgres() {
  const home = '/usr/lib/postgresql'
  return existsSync(home) && readdirSync(home).some((version) => existsSync(`${home}/${version}/bin/initdb`))
}

/** Debian's kubectl is old, and many machines have a newer one in another folder. */
function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}
