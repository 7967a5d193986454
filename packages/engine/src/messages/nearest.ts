/** A longer word is not a typing mistake, and comparing it costs more than the suggestion is worth. */
const LONGEST = 40

/**
 * The candidate that a mistyped word was most likely meant to be, if at most a third of its letters differ. Case, dashes and
 * underscores do not count: `base-url` means `baseUrl`.
 *
 * @example
 * nearest('prot', ['host', 'port']) // 'port'
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined
  const wanted = withoutStyle(word)
  // One letter may differ even in a word of two letters.
  let best = Math.max(1, Math.floor(wanted.length / 3)) + 1
  let found: string | undefined
  for (const candidate of candidates) {
    const plain = withoutStyle(candidate)
    if (Math.abs(plain.length - wanted.length) >= best) continue
    const distance = editDistance(wanted, plain)
    if (distance >= best || distance >= wanted.length) continue
    best = distance
    found = candidate
  }
  return found
}

function withoutStyle(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '')
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? beforeLast[j - 2]! + 1 : replaced
      row.push(Math.min(replaced, swapped, row[j - 1]! + 1, last[j]! + 1))
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
