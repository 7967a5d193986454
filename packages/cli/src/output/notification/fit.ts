/**
 * Takes as many items from the start as there is room for, leaving room for the one that says how many are left out. All
 * of them are taken where all of them fit.
 *
 * @example
 * fit(['aaa', 'bbb', 'ccc'], 9, (line) => line.length, 3)   // all three
 * fit(['aaa', 'bbb', 'ccc'], 8, (line) => line.length, 3)   // the first
 */
export function fit<T>(items: readonly T[], room: number, sizeOf: (item: T) => number, reserve: number): readonly T[] {
  let used = 0
  let fitting = 0
  for (const [index, item] of items.entries()) {
    used += sizeOf(item)
    if (used > room) return items.slice(0, fitting)
    if (used + reserve <= room) fitting = index + 1
  }
  return items
}
