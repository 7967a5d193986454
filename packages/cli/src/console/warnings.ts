import { createPaint } from './paint.js'
import { sanitize } from './sanitize.js'
import type { Screen } from './screen.js'

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
