/**
 * The candidate that a mistyped name was most likely meant to be. Capitals, dashes and underscores do not count: whoever writes
 * `base-url` in a file means `baseUrl`.
 *
 * @example
 * nearest('prot', ['host', 'port']) // 'port'
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const plain = plainly(word)
  // Longer words are no slips of the finger, and cost more to compare than they are worth.
  if (plain.length > 40) return undefined
  let best = Math.floor(plain.length / 3) + 1
  let found: string | undefined
  for (const candidate of candidates) {
    const distance = changesBetween(plain, plainly(candidate))
    if (distance < best) [best, found] = [distance, candidate]
  }
  return found
}

function plainly(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '')
}

/** How many letters must be added, taken away, replaced or swapped with their neighbour. */
function changesBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      line.push(
        Math.min(
          rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
          rows[row - 1]![column]! + 1,
          line[column - 1]! + 1,
          isSwapped ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(line)
  }
  return rows[from.length]![to.length]!
}
