import { hash, randomBytes } from 'node:crypto'

/** Crockford's base32: no I, L, O or U, so that a code survives being read aloud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 6
/** As a code is issued, and nearly always sent. */
const CANONICAL = new RegExp(`^[${ALPHABET}]{${GROUP}}-[${ALPHABET}]{${GROUP}}$`)
/** What people type for a digit that looks the same. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }
/** Word processors and mail programs turn the hyphen into others, and add blanks. */
const SEPARATORS = /[\s\-\u2010-\u2015\u2212]/g
/** Far more than a code with blanks in it. */
const LONGEST = 64

/**
 * Makes a code: 60 random bits in two groups.
 *
 * @example
 * makeCode() // 'K7QF2M-9XTR4B'
 */
export function makeCode(random: (bytes: number) => Uint8Array = randomBytes): string {
  // 256 is a multiple of 32: the lower five bits of a random byte are as random as the byte.
  const letters = [...random(2 * GROUP)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return `${letters.slice(0, GROUP).join('')}-${letters.slice(GROUP).join('')}`
}

/**
 * The one spelling of what somebody typed, or undefined when it cannot be a code.
 *
 * @example
 * canonicalCode(' k7qf2m-9xtr4b ') // 'K7QF2M-9XTR4B'
 */
export function canonicalCode(typed: string): string | undefined {
  if (CANONICAL.test(typed)) return typed
  if (typed.length > LONGEST) return undefined
  const letters = typed.replace(SEPARATORS, '')
  if (!/^[0-9A-Za-z]{12}$/.test(letters)) return undefined
  const folded = letters.toUpperCase().replace(/[OIL]/g, (letter) => LOOK_ALIKES[letter]!)
  return folded.includes('U') ? undefined : `${folded.slice(0, GROUP)}-${folded.slice(GROUP)}`
}

/**
 * What is kept of a code. It is looked up by this hash in an index, so how long that takes says nothing about codes that
 * exist. There is no secret in it: the 60 bits are random and live for days, and a database restored without its key file
 * must not strand the customers who hold a code.
 */
export function hashCode(canonical: string): string {
  return hash('sha256', canonical, 'hex')
}
