import { sanitize } from './sanitize.js'

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
