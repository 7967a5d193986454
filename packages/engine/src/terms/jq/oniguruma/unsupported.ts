import { TermError } from '../../condition.js'
import { UNSUPPORTED } from './reader.js'

/** A construct that jq accepts and that cannot be matched in linear time. */
export function unsupported(construct: string, instead: string, offset: number): TermError {
  return new TermError(UNSUPPORTED, `${construct} is not supported: ${instead}`, offset)
}

/** Escapes that cannot be matched in linear time, and what to write instead. */
export const UNSUPPORTED_ESCAPES: Readonly<Record<string, readonly [construct: string, instead: string]>> = {
  K: ['\\K (keep)', 'put the part that you need into a group'],
  X: ['\\X (a character with its combining marks)', 'write (?:\\P{M}\\p{M}*)'],
  y: ['\\y (the edge of a text segment)', 'use \\b for the edge of a word'],
  Y: ['\\Y (the inside of a text segment)', 'use \\B for the inside of a word'],
}

/** Groups that cannot be matched in linear time, and what to write instead. */
export const UNSUPPORTED_GROUPS: readonly (readonly [start: string, construct: string, instead: string])[] = [
  ['(?=', 'look-ahead (?=…)', 'match the text itself, and put the part that you need into a group'],
  ['(?!', 'negative look-ahead (?!…)', 'exclude it with a second test: test("…") and (test("…") | not)'],
  ['(?<=', 'look-behind (?<=…)', 'match the text itself, and put the part that you need into a group'],
  ['(?<!', 'negative look-behind (?<!…)', 'exclude it with a second test: test("…") and (test("…") | not)'],
  ['(?>', 'atomic group (?>…)', 'write (?:…)'],
  ['(?~', 'absent operator (?~…)', 'exclude the text with a second test: (test("…") | not)'],
  ['(?(', 'conditional (?(…)…)', 'write the cases as alternatives: a|b'],
  ['(?{', 'callout (?{…})', 'remove it'],
  ['(*', 'callout (*…)', 'remove it, or write \\(* for a parenthesis'],
]

export const unsupportedReference = (construct: string, start: number): TermError =>
  unsupported(`back-reference ${construct}`, 'capture both parts and compare them with ==', start)

export const unsupportedCall = (construct: string, start: number): TermError =>
  unsupported(`subexpression call ${construct}`, 'repeat the pattern of that group', start)
