import { nearest, orList, quote } from '@omen/engine/messages'
import { Failure } from '../failure.js'

/** A flag as typed, fit for a message: quoted only when it has to be. */
export function shownFlag(word: string): string {
  return /^[\w=.,/-]{1,60}$/.test(word) ? word : quote(word)
}

/** A command line that cannot be understood, and where to read on. */
export function usageFailure(message: string, call: string): Failure {
  return new Failure('Usage', message, { hint: `Try: ${call} --help` })
}

/** The values that a flag or verb takes, and the one that was probably meant. */
export function notAChoice(taker: string, word: string, choices: readonly string[]): string {
  const meant = nearest(word, choices)
  return `${taker} takes ${orList(choices)}, not ${quote(word)}.${meant ? ` Did you mean ${meant}?` : ''}`
}
