/** A semantic version as releases carry it: without a `v` and without build metadata, which has no order. */
const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/

const LONGEST_PRERELEASE = 64

/** Whether a text is a version that can be released. */
export function isVersion(text: string): boolean {
  const found = VERSION.exec(text)
  return found !== null && (found[4] ?? '').length <= LONGEST_PRERELEASE
}

/**
 * A text that sorts, byte by byte, as semantic versions have precedence: so a database finds the newest in an index. Numbers are
 * filled up with zeros; a pre-release comes before its release, its numbers before its words, and a shorter one before a longer.
 *
 * @example
 * precedenceOf('1.9.0') < precedenceOf('1.10.0-rc.1') // true
 * precedenceOf('1.10.0-rc.1') < precedenceOf('1.10.0') // true
 */
export function precedenceOf(version: string): string {
  const [, major = '', minor = '', patch = '', prerelease] = VERSION.exec(version) ?? []
  const core = [major, minor, patch].map((number) => number.padStart(9, '0')).join('.')
  if (prerelease === undefined) return `${core}~`
  // The blank is below everything that may stand in a word.
  return `${core}-${prerelease.split('.').map(precedenceOfWord).join(' ')}`
}

/** A number may have as many digits as fit: its length comes first, then its digits. */
function precedenceOfWord(word: string): string {
  if (!/^\d+$/.test(word)) return `w${word}`
  const digits = word.replace(/^0+(?=\d)/, '')
  return `n${String(digits.length).padStart(2, '0')}${digits}`
}
