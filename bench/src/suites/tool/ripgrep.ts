import { spawnSync } from 'node:child_process'
import type { Command } from '../../harness/command.js'

/** Whether a program can be started. */
function exists(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** Makes sure that `rg` exists: installs Debian's package where that is possible, and otherwise says what to do. */
export function ensureRipgrep(report: (text: string) => void): void {
  if (exists('rg')) return
  const manual = 'The benchmark compares with ripgrep. Please install it: apt-get install ripgrep'
  if (process.getuid?.() !== 0 || !exists('apt-get')) throw new Error(manual)
  report('installing ripgrep')
  const install = () => spawnSync('apt-get', ['install', '-y', '-qq', 'ripgrep'], { stdio: 'ignore' })
  // A fresh machine has no package lists yet; fetching them takes longer than the package.
  if (install().status !== 0) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    install()
  }
  if (!exists('rg')) throw new Error(manual)
}

export function ripgrepVersion(): string {
  const { stdout } = spawnSync('rg', ['--version'], { encoding: 'utf8' })
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'unknown'
}

/** Whether ripgrep's engine accepts the pattern. It exits with 2 when it does not, and with 1 when nothing was found. */
export function isValidPattern(pattern: string): boolean {
  return spawnSync('rg', ['--no-config', '-c', '-e', pattern, '/dev/null'], { stdio: 'ignore' }).status !== 2
}

/** `rg -c` with the patterns of a file. The user's own settings are left out, everything else is the default. */
export function ripgrep(patternFile: string, log: string, fixed = false): Command {
  const flags = ['--no-config', '-c', ...(fixed ? ['-F'] : []), '-f', patternFile]
  return { name: fixed ? 'rg -c -F -f' : 'rg -c -f', program: 'rg', args: [...flags, log], accepts: [0, 1] }
}

/** How many lines of the log match. */
export function countMatches(command: Command): number {
  const { stdout } = spawnSync(command.program, command.args, { encoding: 'utf8' })
  return Number(stdout.trim() || 0)
}
