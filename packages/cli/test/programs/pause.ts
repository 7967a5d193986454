import { execFileSync } from 'node:child_process'
import { readSync, writeSync } from 'node:fs'

const inherit = { stdio: 'inherit' } as const

/**
 * Stops a program on a terminal of terminal.ts until the test lets it go on. Before that it asks the terminal where the cursor
 * is: the answer comes when everything before it is on the screen.
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

/** Asks the terminal in which column the cursor stands, from 0. */
export function cursorColumn(): number {
  execFileSync('stty', ['-icanon', '-echo'], inherit)
  writeSync(1, '\u001b[6n')
  let answer = ''
  const byte = Buffer.alloc(1)
  while (!answer.endsWith('R')) answer += byte.toString('latin1', 0, readSync(0, byte))
  return Number(/;(\d+)R$/.exec(answer)![1]) - 1
}
