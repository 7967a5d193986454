import type { Screen } from './screen.js'
import { createPaint } from './text/paint.js'
import { sanitize } from './text/sanitize.js'

/**
 * What went wrong, as a line for standard error. Names of files stand in it, and what rules and servers say: none of it can
 * command a terminal.
 *
 * @example
 * err.write(errorLine('Data', 'app.log: permission denied'))   // Data error: app.log: permission denied
 */
export function errorLine(kind: string, message: string): string {
  return `${kind} error: ${sanitize(message)}\n`
}

/** More different warnings than this help nobody, and each one is remembered. */
const MOST_WARNINGS = 100

/**
 * Makes the function that warns: `Warning: …` on standard error whatever the log level, each message once, and nothing with
 * `quiet`.
 *
 * @example
 * const warn = createWarnings(openScreen(openOutput(2), process.env), { quiet: false })
 * warn('app.log: no timestamp in the first 50 lines')
 */
export function createWarnings(screen: Screen, { quiet }: { readonly quiet: boolean }): (message: string) => void {
  const told = new Set<string>()
  const label = createPaint(screen.colours)('warning', 'Warning:')
  return (message) => {
    if (quiet || told.has(message) || told.size > MOST_WARNINGS) return
    told.add(message)
    const text = told.size > MOST_WARNINGS ? 'further warnings are not shown' : sanitize(message)
    screen.write(`${label} ${text}\n`)
  }
}
