import { corrupt } from './decompressor.js'
import { type History, MOST_BLOCK } from './zstd-history.js'
import type { Sequences } from './zstd-sequence-bits.js'

/** Short stretches are copied four bytes at a time, and up to three too many. */
export const COPY_MARGIN = 4

/** From this length on it pays to call a function for a copy. */
const LONG = 64

/** Puts a block together at the end of the history: for each sequence literals and a copy, then the literals that are left. */
export function copySequences(
  count: number,
  { literals: literalLengths, distances, copies }: Sequences,
  literals: Uint8Array,
  length: number,
  history: History,
): void {
  const { bytes, view } = history
  const limit = history.end + MOST_BLOCK
  const source = new DataView(literals.buffer)
  let taken = 0
  let filled = history.end
  for (let i = 0; i < count; i++) {
    const literalEnd = taken + literalLengths[i]
    const copyStart = filled + literalLengths[i]
    const distance = distances[i]
    const copyEnd = copyStart + copies[i]
    const isWithin = literalEnd <= length && copyEnd <= limit
    if (!isWithin || distance === 0 || distance > copyStart) throw corrupt('zstd')
    if (literalLengths[i] < LONG) {
      for (; taken < literalEnd; taken += 4, filled += 4) view.setUint32(filled, source.getUint32(taken, true), true)
    } else bytes.set(literals.subarray(taken, literalEnd), filled)
    taken = literalEnd
    filled = copyStart
    let from = copyStart - distance
    // A copy may overlap with itself: then it repeats what it has just written.
    if (distance < 4) while (filled < copyEnd) bytes[filled++] = bytes[from++]
    else if (copies[i] < LONG || distance < copies[i]) {
      for (; filled < copyEnd; filled += 4, from += 4) view.setUint32(filled, view.getUint32(from, true), true)
    } else bytes.copyWithin(copyStart, from, from + copies[i])
    filled = copyEnd
  }
  if (filled + length - taken > limit) throw corrupt('zstd')
  bytes.set(literals.subarray(taken, length), filled)
  history.end = filled + length - taken
}
