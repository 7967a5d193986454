import { hash, randomBytes } from 'node:crypto'

/** Crockford's base32: without I, L, O and U, so that a code can be read aloud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 6
/** The form in which a code is issued. */
const CANONICAL = new RegExp(`^[${ALPHABET}]{${GROUP}}-[${ALPHABET}]{${GROUP}}$`)
/** Letters that are typed for digits of the same shape. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }
/** Word processors and mail programs replace the hyphen and add spaces. */
const SEPARATORS = /[\s\-\u2010-\u2015\u2212]/g
/** Much longer than a code with added spaces. */
const LONGEST = 64

/**
 * Makes a code: 60 random bits in two groups.
 *
 * @example
 * makeCode() // 'K7QF2M-9XTR4B'
 */
export function makeCode(random: (bytes: number) => Uint8Array = randomBytes): string {
  // 256 is a multiple of 32, so the remainder is not biased.
  const letters = [...random(2 * GROUP)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return `${letters.slice(0, GROUP).join('')}-${letters.slice(GROUP).join('')}`
}

/**
 * The canonical spelling of a typed code, or undefined if it cannot be a code.
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
 * The hash that is stored instead of a code. A code is looked up by its hash in an index, so the time of the lookup reveals
 * nothing about existing codes. The hash has no secret key: a code has 60 random bits and is valid for days, and codes must
 * still work after a database is restored without its key file.
 */
export function hashCode(canonical: string): string {
  return hash('sha256', canonical, 'hex')
}
