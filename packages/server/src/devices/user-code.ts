import { randomInt } from 'node:crypto'

/** Without vowels, so that no words come out, and without what looks like something else (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const LENGTH = 8

/**
 * A code that people type: eight of twenty letters, 34 bits, good for some minutes.
 *
 * @example
 * makeUserCode() // 'WDJB-MJHT'
 */
export function makeUserCode(): string {
  return shape(Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''))
}

/**
 * A code as somebody typed it, in its one spelling; undefined for what cannot be one.
 *
 * @example
 * canonicalUserCode('wdjb mjht') // 'WDJB-MJHT'
 */
export function canonicalUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s._-]/g, '')
  const isOurs = letters.length === LENGTH && [...letters].every((letter) => LETTERS.includes(letter))
  return isOurs ? shape(letters) : undefined
}

function shape(letters: string): string {
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
