/** The candidate that a misspelt word was most likely meant to be, if one is near enough. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  // A third of the letters may be wrong: enough for slips of the finger, too few to make up a meaning.
  let best = Math.max(1, Math.floor(word.length / 3)) + 1
  let found: string | undefined
  if (word.length > 40) return undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= best) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < best) {
      best = distance
      found = candidate
    }
  }
  return found
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
