/**
 * Compares semantic versions: negative when `a` comes before `b`.
 *
 * @example
 * compareVersions('1.9.0', '1.10.0') < 0
 */
export function compareVersions(a: string, b: string): number {
  const [coreA, preA] = splitVersion(a)
  const [coreB, preB] = splitVersion(b)
  return compareParts(coreA, coreB) || comparePreReleases(preA, preB)
}

function splitVersion(version: string): [core: string[], preRelease: string[]] {
  const [whole = ''] = version.split('+', 1)
  const dash = whole.indexOf('-')
  if (dash === -1) return [whole.split('.'), []]
  return [whole.slice(0, dash).split('.'), whole.slice(dash + 1).split('.')]
}

/** `1.4.0-rc.1` comes before `1.4.0`. */
function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  return compareParts(a, b)
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = comparePart(a[i], b[i])
    if (order !== 0) return order
  }
  return 0
}

/** Numbers by their value and before words; what is missing comes first. */
function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  const isNumber = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumber[0] && isNumber[1]) return Number(a) - Number(b)
  if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -1 : 1
  return a === b ? 0 : a < b ? -1 : 1
}
