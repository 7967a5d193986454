import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { isTerminal } from './output.js'
import { sanitize } from './text/sanitize.js'

/** How often the question is repeated when the user types neither yes nor no. */
const ATTEMPTS = 3

/** A longer line is not a valid response. */
const LONGEST_RESPONSE = 1024

const RESPONSES: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false }

/**
 * Asks a yes/no question on the controlling terminal, even if standard input is redirected; an empty line means the default.
 * Returns undefined if nobody can respond: no terminal, a background job, or end of file. It blocks the process, so that Ctrl-C
 * ends it as at any other prompt.
 *
 * @example
 * ask('Update rules 1.0.0 → 1.4.0 (81.2 kB)', true) // Update rules 1.0.0 → 1.4.0 (81.2 kB) [Y/n]
 */
export function ask(question: string, defaultResponse: boolean): boolean | undefined {
  const terminal = openTerminal()
  if (terminal === undefined) return undefined
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      write(terminal.output, `${sanitize(question)} [${defaultResponse ? 'Y/n' : 'y/N'}] `)
      const line = readLine(terminal.input)
      if (line === undefined) {
        write(terminal.output, '\n')
        return undefined
      }
      const response = line === '' ? defaultResponse : RESPONSES[line.toLowerCase()]
      if (response !== undefined) return response
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
    // A container may have a terminal that is not its controlling one, and Windows has no /dev/tty.
    return isTerminal(0) && isTerminal(1) ? { input: 0, output: 1, close: () => {} } : undefined
  }
}

/**
 * Whether this process is a background job, which the system would stop when it reads from its terminal. Only Linux exposes
 * the foreground process group.
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
    // The window was closed, so reading the response fails as well.
  }
}

/** Reads one line from the terminal; undefined at end of file. */
function readLine(file: number): string | undefined {
  const buffer = Buffer.alloc(LONGEST_RESPONSE)
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

/** Stops listening. */
export type StopListening = () => void

/**
 * Calls `pressed` whenever the user presses Enter, with the number of lines that this moved the cursor down: the terminal echoes
 * typed text, and Ctrl-C and Ctrl-Z work as usual. Returns undefined if standard input is not a terminal, or if this is a
 * background job, which the system would stop when it reads.
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
  // The window was closed.
  stdin.on('error', () => {})
  return () => {
    stdin.off('data', listener)
    stdin.pause()
  }
}
