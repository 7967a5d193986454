import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { isTerminal } from './output.js'
import { sanitize } from './text/sanitize.js'

/** As often as somebody types something else than yes or no, before that is taken for no answer. */
const ATTEMPTS = 3

/** A longer line is no answer. */
const LONGEST_ANSWER = 1024

const ANSWERS: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false }

/**
 * Asks a question on the terminal and waits for a yes or no; an empty line is the default. The terminal itself is asked, so
 * it does not matter what standard input is. Undefined when there is nobody to ask: no terminal, a job in the background, or
 * an end of file. It waits without doing anything else, so that Ctrl-C ends the process as it does at every other prompt.
 *
 * @example
 * ask('Update rules 1.0.0 → 1.4.0 (81.2 kB)', true) // Update rules 1.0.0 → 1.4.0 (81.2 kB) [Y/n]
 */
export function ask(question: string, byDefault: boolean): boolean | undefined {
  const terminal = openTerminal()
  if (terminal === undefined) return undefined
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      write(terminal.output, `${sanitize(question)} [${byDefault ? 'Y/n' : 'y/N'}] `)
      const line = readLine(terminal.input)
      if (line === undefined) {
        write(terminal.output, '\n')
        return undefined
      }
      const answer = line === '' ? byDefault : ANSWERS[line.toLowerCase()]
      if (answer !== undefined) return answer
    }
    return undefined
  } finally {
    terminal.close()
  }
}

interface OpenTerminal {
  readonly input: number
  readonly output: number
  close(): void
}

function openTerminal(): OpenTerminal | undefined {
  if (isInBackground()) return undefined
  try {
    const file = openSync('/dev/tty', 'r+')
    return { input: file, output: file, close: () => closeSync(file) }
  } catch {
    // A container may have a terminal without being controlled by it, and Windows has no such file.
    return isTerminal(0) && isTerminal(1) ? { input: 0, output: 1, close: () => {} } : undefined
  }
}

/**
 * A job in the background that reads from its terminal is stopped by the system: then nobody is asked. Only Linux tells which
 * group of processes is in front.
 */
export function isInBackground(): boolean {
  try {
    const [, fields = ''] = /\)\s(.*)$/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? []
    const [, , group, , , foreground] = fields.split(' ')
    return foreground !== '-1' && group !== foreground
  } catch {
    return false
  }
}

function write(file: number, text: string): void {
  try {
    writeSync(file, text)
  } catch {
    // The window was closed: the answer will not come either.
  }
}

/** A line as the terminal hands it over; undefined at the end of the file. */
function readLine(file: number): string | undefined {
  const buffer = Buffer.alloc(LONGEST_ANSWER)
  let length = 0
  try {
    while (length < buffer.length) {
      const read = readSync(file, buffer, length, buffer.length - length, null)
      if (read === 0) return undefined
      length += read
      if (buffer[length - 1] === 0x0a) break
    }
  } catch {
    return undefined
  }
  return buffer.toString('utf8', 0, length).trim()
}

/** Listens no more. */
export type StopListening = () => void

/**
 * Calls a function whenever somebody presses Enter, with how many lines that has moved the cursor down: the terminal shows what is
 * typed, and Ctrl-C, Ctrl-Z and the rest do what they always do. Undefined where nobody can: standard input is no terminal, or
 * the job is in the background, which a read would stop.
 *
 * @example
 * const stop = onEnter(() => openBrowser(url))
 */
export function onEnter(pressed: (lines: number) => void): StopListening | undefined {
  if (!isTerminal(0) || isInBackground()) return undefined
  const { stdin } = process
  const listener = (data: Buffer) => {
    const lines = data.filter((byte) => byte === 0x0a).length
    if (lines > 0) pressed(lines)
  }
  stdin.on('data', listener)
  // A window that is closed.
  stdin.on('error', () => {})
  return () => {
    stdin.off('data', listener)
    stdin.pause()
  }
}
