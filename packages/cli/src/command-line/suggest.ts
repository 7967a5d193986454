import { Failure } from '../failure.js'

/** Longer words are cut in messages: whoever typed them knows how they go on. */
const LONGEST_SHOWN = 60

/**
 * A word of the command line as a message shows it: in quotes, with nothing in it that a terminal would act on.
 *
 * @example
 * quoted('explian') // '"explian"'
 */
export function quoted(word: string): string {
  return JSON.stringify(word.length > LONGEST_SHOWN ? `${word.slice(0, LONGEST_SHOWN)}…` : word).replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  )
}

/** A flag as typed, fit for a message: quoted only when it has to be. */
export function shownFlag(word: string): string {
  return /^[\w=.,/-]{1,60}$/.test(word) ? word : quoted(word)
}

/**
 * The candidate that a mistyped word was most likely meant to be. The engine has the measure; it is loaded here, where
 * something is wrong already, and not at every start.
 */
export async function nearestTo(word: string, candidates: Iterable<string>): Promise<string | undefined> {
  const { nearest } = await import('@omen/engine')
  return nearest(word, candidates)
}

/** A command line that cannot be understood, and where to read on. */
export function usageFailure(message: string, call: string): Failure {
  return new Failure('Usage', message, { hint: `Try: ${call} --help` })
}

/** Says what can be chosen, and what was probably meant. */
export async function notAChoice(taker: string, word: string, choices: readonly string[]): Promise<string> {
  const meant = await nearestTo(word, choices)
  return `${taker} takes ${orList(choices)}, not ${quoted(word)}.${meant ? ` Did you mean ${meant}?` : ''}`
}

/** `a, b or c` */
export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
