import type { FoundTime } from '../../time/finish.js'
import { LONGEST, REVIEW_AFTER, STATE } from './abi.js'
import type { Lines } from './detect.js'
import type { Block } from './entries.js'
import type { LineFormat } from './format.js'

/** The last lines that were added to the open entry, at most as many as are reviewed at a time. */
export function foldedLines({ words, bytes }: Block): Lines {
  const lines: Lines = { bytes, starts: [], ends: [] }
  const first = words[STATE.openStart]
  let end = words[STATE.openEnd]
  // An entry that was cut does not have all of its lines any more.
  if (end - first === LONGEST) return lines
  for (let n = Math.min(REVIEW_AFTER, words[STATE.timeless]); n > 0; n--) {
    const lineFeed = bytes.lastIndexOf(10, end - 1)
    lines.starts.unshift(lineFeed + 1)
    lines.ends.unshift(end)
    end = lineFeed
  }
  return lines
}

/** Lines that were taken from the open entry again: where they stand, and how many. */
export interface Unfolded {
  readonly start: number
  readonly end: number
  readonly count: number
}

/** Cuts the open entry before the first of its lines that has a time in another format. */
export function cutOpen({ words, bytes }: Block, lines: Lines, format: LineFormat, limit: number): Unfolded {
  const found: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }
  const first = lines.starts.findIndex((start, i) => format.find(bytes, start, lines.ends[i], limit, found))
  const start = lines.starts[first]
  const end = words[STATE.openEnd]
  words[STATE.openEnd] = start - 1
  return { start, end, count: lines.starts.length - first }
}

/** Makes those lines unread: they move up to the first byte that was not read yet, with a line feed behind the last. */
export function readAgain({ words, bytes }: Block, { start, end, count }: Unfolded): void {
  const at = words[STATE.at] - (end - start) - 1
  bytes.copyWithin(at, start, end)
  bytes[words[STATE.at] - 1] = 10
  words[STATE.at] = at
  words[STATE.searched] = at
  words[STATE.line] -= count
}
