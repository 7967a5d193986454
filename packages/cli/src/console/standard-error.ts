import type { Screen } from './screen.js'
import { createPaint } from './text/paint.js'
import { sanitize } from './text/sanitize.js'

/**
 * Formats a failure as a line for standard error. The message may contain file names and text from rules and servers, so it is
 * made safe for a terminal.
 *
 * @example
 * err.write(errorLine('Data', 'app.log: permission denied'))   // Data error: app.log: permission denied
 */
export function errorLine(kind: string, message: string): string {
  return `${kind} error: ${sanitize(message)}\n`
}

/** Further warnings would not help, and each one is kept in memory. */
const MOST_WARNINGS = 100

/** Prints a warning. With `always` it is printed even with `quiet`: what the run says without it would be wrong. */
export type PrintWarning = (message: string, options?: { readonly always?: boolean }) => void

/**
 * Returns the function that prints `Warning: …` to standard error, regardless of the log level: each message once, and with
 * `quiet` only those that are always printed.
 *
 * @example
 * const warn = createWarnings(openScreen(openOutput(2), process.env), { quiet: false })
 * warn('app.log: no timestamp in the first 50 lines')
 */
export function createWarnings(screen: Screen, { quiet }: { readonly quiet: boolean }): PrintWarning {
  const printed = new Set<string>()
  const label = createPaint(screen.colours)('warning', 'Warning:')
  return (message, { always = false } = {}) => {
    if ((quiet && !always) || printed.has(message) || printed.size > MOST_WARNINGS) return
    printed.add(message)
    const text = printed.size > MOST_WARNINGS ? 'further warnings are not shown' : sanitize(message)
    screen.write(`${label} ${text}\n`)
  }
}
