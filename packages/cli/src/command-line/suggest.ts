import { nearest, orList, quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'

/** A flag as typed, for a message; quoted only if necessary. */
export function shownFlag(flag: string): string {
  return /^[\w=.,/-]{1,60}$/.test(flag) ? flag : quote(flag)
}

/** A failure for an invalid command line, with the command that shows help. */
export function usageFailure(message: string, call: string): Failure {
  return new Failure('Usage', message, { hint: `Try: ${call} --help` })
}

/** The message for a value that is not among the choices, with the nearest choice. */
export function notAChoice(taker: string, value: string, choices: readonly string[]): string {
  const meant = nearest(value, choices)
  return `${taker} takes ${orList(choices)}, not ${quote(value)}.${meant ? ` Did you mean ${meant}?` : ''}`
}
