// The tests use real parts: a browser, terminals, shells. On Debian as root the missing ones are installed; elsewhere this says
// what to install and stops.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const PARTS = [
  { package: 'chromium', file: '/usr/bin/chromium', use: 'the engine is run in a browser' },
  { package: 'postgresql', found: hasPostgres, file: '/usr/lib/postgresql', use: 'the service keeps its state in it' },
  { package: 'systemd', file: '/usr/bin/systemd-analyze', use: 'the unit of the service is checked by it' },
  { package: 'util-linux', file: '/usr/bin/unshare', use: 'small disks are mounted out of sight' },
  { package: 'tmux', file: '/usr/bin/tmux', use: 'the tool is looked at on a terminal' },
  { package: 'bsdutils', file: '/usr/bin/script', use: 'what the tool writes to a terminal is recorded' },
  { package: 'kubernetes-client', found: () => isOnPath('kubectl'), file: 'kubectl', use: 'pods are read through it' },
  { package: 'zsh', file: '/usr/bin/zsh', use: 'completion is tried in it' },
  { package: 'fish', file: '/usr/bin/fish', use: 'completion is tried in it' },
]

const isThere = (part) => (part.found ? part.found() : existsSync(part.file))
const missing = PARTS.filter((part) => !isThere(part))
if (missing.length > 0) {
  const packages = missing.map((part) => part.package)
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const run = (args) =>
    spawnSync('apt-get', args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  if (canInstall) {
    run(['update', '-qq'])
    run(['install', '-y', '-qq', '--no-install-recommends', ...packages])
  }
  const still = missing.filter((part) => !isThere(part))
  if (still.length > 0) {
    for (const part of still) console.error(`Missing: ${part.file} (${part.use})`)
    console.error(`Install: apt-get update && apt-get install -y ${still.map((part) => part.package).join(' ')}`)
    process.exit(1)
  }
}

/** The server itself: a client alone is not enough. Debian has a folder for each version. */
function hasPostgres() {
  const home = '/usr/lib/postgresql'
  return existsSync(home) && readdirSync(home).some((version) => existsSync(`${home}/${version}/bin/initdb`))
}

/** Debian's is old, and people have newer ones elsewhere. */
function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}
