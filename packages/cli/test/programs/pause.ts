import { execFileSync } from 'node:child_process'
import { readSync, writeSync } from 'node:fs'

const inherit = { stdio: 'inherit' } as const

/**
 * Stops a program on a terminal of terminal.ts until the test continues it. First requests the cursor position: the terminal responds when
 * all output before is on the screen.
 *
 * @example
 * progress.stage('Reading a.log', 'bytes').update(5)
 * pause('drawn')     // test: await terminal.reached('drawn'); …; terminal.resume('drawn')
 */
export function pause(name: string): void {
  cursorColumn()
  execFileSync('tmux', ['wait-for', '-S', name], inherit)
  execFileSync('tmux', ['wait-for', `${name}-go`], inherit)
}

/** Requests the column of the cursor from the terminal, starting at 0. */
export function cursorColumn(): number {
  execFileSync('stty', ['-icanon', '-echo'], inherit)
  writeSync(1, '\u001b[6n')
  let response = ''
  const byte = Buffer.alloc(1)
  while (!response.endsWith('R')) response += byte.toString('latin1', 0, readSync(0, byte))
  return Number(/;(\d+)R$/.exec(response)![1]) - 1
}
