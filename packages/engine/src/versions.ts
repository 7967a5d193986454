/** A semantic version as releases have it: without a `v`. Build metadata has no order, so it is not part of a release's version. */
const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/

const LONGEST_PRERELEASE = 64

/** Whether a string is a version that can be released. */
export function isVersion(text: string): boolean {
  const found = VERSION.exec(text)
  return found !== null && (found[4] ?? '').length <= LONGEST_PRERELEASE
}

/**
 * Compares semantic versions: negative when `a` comes before `b`. Build metadata is ignored; a string that is not a version comes
 * first.
 *
 * @example
 * compareVersions('1.9.0', '1.10.0') < 0
 */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [sortKeyOf(a), sortKeyOf(b)]
  return first === second ? 0 : first < second ? -1 : 1
}

/**
 * A string whose byte order is the precedence of semantic versions, so that a database finds the newest in an index. Numbers are
 * padded with zeros; a pre-release sorts before its release, its numbers before its words, and a shorter one before a longer.
 *
 * @example
 * sortKeyOf('1.9.0') < sortKeyOf('1.10.0-rc.1') // true
 * sortKeyOf('1.10.0-rc.1') < sortKeyOf('1.10.0') // true
 */
export function sortKeyOf(version: string): string {
  const [, major = '', minor = '', patch = '', prerelease] = VERSION.exec(version.split('+', 1)[0]!) ?? []
  if (major === '') return ''
  const core = [major, minor, patch].map((number) => number.padStart(9, '0')).join('.')
  if (prerelease === undefined) return `${core}~`
  // A space sorts before every character of an identifier.
  return `${core}-${prerelease.split('.').map(identifierKey).join(' ')}`
}

/** A number may have any number of digits: its length sorts first, then its digits. */
function identifierKey(identifier: string): string {
  if (!/^\d+$/.test(identifier)) return `w${identifier}`
  const digits = identifier.replace(/^0+(?=\d)/, '')
  return `n${String(digits.length).padStart(2, '0')}${digits}`
}
