import { bad, type Check, EMPTY, good, partial } from '../checks/check.js'

const GROUP = 6
const LENGTH = 2 * GROUP
/** Crockford's base32 leaves out letters that look like digits. */
const MISREAD: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }
const FOREIGN = /[^0-9A-HJKMNP-TV-Z]/
/** Mail programs replace hyphens by dashes, and wrap lines. */
const SEPARATORS = /[\s\u00ad\u200b\u2010-\u2015\u2212_-]+/g

/**
 * Checks an onboarding code as it is typed or pasted: with or without its hyphen, in any case, or as the onboarding link.
 *
 * @example
 * checkCode('k7qf2m 9xtr4b') // { state: 'good', value: 'K7QF2M-9XTR4B' }
 */
export function checkCode(text: string): Check {
  const letters = (codeOfLink(text) ?? text).replace(SEPARATORS, '').toUpperCase()
  if (letters === '') return EMPTY
  const misread = letters.replace(/[OIL]/g, (letter) => MISREAD[letter] ?? letter)
  if (FOREIGN.test(misread)) {
    return bad(`A code never contains “${FOREIGN.exec(misread)?.[0] ?? ''}”. It looks like K7QF2M-9XTR4B.`)
  }
  if (letters.length > LENGTH) return bad(`A code has ${LENGTH} characters, but you entered ${letters.length}.`)
  if (misread !== letters)
    return bad('A code never contains the letters O, I or L. Use the digits 0 and 1.', grouped(misread))
  if (letters.length < LENGTH) return partial(`You have entered ${letters.length} of ${LENGTH} characters.`)
  return good(grouped(letters))
}

/**
 * Finds the code in an onboarding link, `https://…/#code=K7QF2M-9XTR4B`.
 *
 * @example
 * codeOfLink('#code=K7QF2M-9XTR4B') // 'K7QF2M-9XTR4B'
 */
export function codeOfLink(link: string): string | undefined {
  const found = /[#&?]code=([^&#\s]*)/.exec(link)?.[1]
  if (found === undefined || found === '') return undefined
  try {
    return decodeURIComponent(found)
  } catch {
    return found
  }
}

function grouped(letters: string): string {
  return letters.length <= GROUP ? letters : `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}`
}

const LONGEST = 200

/**
 * Checks the name of an organization: 1 to 200 characters, no control characters.
 *
 * @example
 * checkOrganizationName(' Acme ') // { state: 'good', value: 'Acme' }
 */
export function checkOrganizationName(text: string): Check {
  const name = text.trim()
  if (name === '') return EMPTY
  const length = [...name].length
  if (length > LONGEST) return bad(`The name has ${length} characters. At most ${LONGEST} are allowed.`)
  if (/\p{Cc}/u.test(name)) return bad('The name contains invisible characters. Type it instead of pasting it.')
  return good(name)
}
