import { readSync } from 'node:fs'
import { findEntryStart, type ReadingFormat, type ScannedSegment, type Seam, type SegmentScanner } from '@omen/engine'
import type { Pace } from '../matching/pace.js'

/**
 * Large enough that dividing a file costs nothing, small enough that all threads finish at about the same time, and that the results
 * which wait for their turn take little memory.
 */
export const SEGMENT_BYTES = 4 * 1024 * 1024

/** The bytes that are first searched for the start of an entry. */
const FIRST_SEARCH = 64 * 1024

/** Where the segments of a file start. */
export interface Segments {
  readonly count: number
  /**
   * The offset at which a segment starts: that of the first entry in its range of the file. Every thread computes it and
   * gets the same. A range in which no entry starts belongs to the segment before. There may be gigabytes of them, so this
   * yields to the event loop; when the scan is stopped, the result is the end of the file.
   */
  start(index: number): Promise<number>
}

/** Divides a file into segments. Results are cached: a long range without an entry is read only once. */
export function cutIntoSegments(file: number, size: number, formats: readonly ReadingFormat[], pace: Pace): Segments {
  const count = Math.ceil(size / SEGMENT_BYTES)
  const known = new Map([[0, 0]])
  return {
    count,
    async start(index) {
      let last = index
      let found = known.get(last)
      while (found === undefined) {
        if (pace.stopped) return size
        found = last >= count ? size : firstEntryIn(file, size, formats, last)
        if (found === undefined) found = known.get(++last)
        const turn = pace.turn()
        if (turn) await turn
      }
      for (let i = index; i <= last; i++) known.set(i, found)
      return found
    },
  }
}

/** The offset of the first entry that starts in a range, or undefined. */
function firstEntryIn(
  file: number,
  size: number,
  formats: readonly ReadingFormat[],
  index: number,
): number | undefined {
  const from = index * SEGMENT_BYTES - 1
  const to = Math.min(from + SEGMENT_BYTES, size)
  for (let search = FIRST_SEARCH; ; search *= 4) {
    const window = Math.min(search, to - from)
    const bytes = readAt(file, from, window)
    const start = findEntryStart(formats, bytes)
    if (start >= 0) return from + start
    // A file that was truncated meanwhile is shorter.
    if (window === to - from || bytes.length < window) return undefined
  }
}

function readAt(file: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  const read = readSync(file, bytes, 0, length, position)
  return bytes.subarray(0, read)
}

/** Reads and scans one segment after a seam; undefined if the scan was stopped meanwhile. */
export async function scanSegment(
  scanner: SegmentScanner,
  file: number,
  segments: Segments,
  index: number,
  seam: Seam,
  pace: Pace,
): Promise<ScannedSegment | undefined> {
  let position = await segments.start(index)
  const end = await segments.start(index + 1)
  scanner.begin(seam)
  while (position < end && !pace.stopped) {
    const space = scanner.space()
    const bytes = readSync(file, space, 0, Math.min(space.length, end - position), position)
    if (bytes === 0) break
    position += bytes
    scanner.commit(bytes)
    const turn = pace.turn()
    if (turn) await turn
  }
  return pace.stopped ? undefined : scanner.end(index === segments.count - 1)
}
