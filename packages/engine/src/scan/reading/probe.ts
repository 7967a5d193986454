import type { Lines } from './detect.js'

/** The format is decided on this many bytes at most. */
export const PROBE_BYTES = 256 * 1024

/** When one format explains this many first lines, every one of them, the others are not waited for. */
export const SURE_AFTER = 16

/** The first lines of a log, collected piece by piece. Positions count from where the probe began. */
export interface Probe {
  /** Looks at the bytes from `start` to `limit`: those that it has seen, and more. `final` when no more will follow. */
  grow(bytes: Uint8Array, start: number, limit: number, final: boolean): void
  /** How many lines there are. */
  readonly count: number
  /** Whether these are all the lines that will be looked at. */
  readonly full: boolean
  /** The first `count` lines, less the empty ones. */
  lines(bytes: Uint8Array, start: number, count: number): Lines
}

/** Makes a probe for at most `most` lines; `atStart` when a byte order mark may stand in front of them. */
export function createProbe(most: number, atStart: boolean): Probe {
  const starts: number[] = []
  const ends: number[] = []
  let lineStart = 0
  let searched = 0
  let full = false

  function add(end: number): void {
    starts.push(lineStart)
    ends.push(end)
  }

  return {
    grow(bytes, start, limit, final) {
      const stop = Math.min(limit, start + PROBE_BYTES)
      const data = bytes.subarray(0, stop)
      while (!full) {
        const lineFeed = data.indexOf(10, start + searched)
        if (lineFeed < 0) break
        const end = lineFeed - start
        add(end > lineStart && bytes[lineFeed - 1] === 13 ? end - 1 : end)
        lineStart = searched = end + 1
        full = starts.length === most
      }
      if (full) return
      searched = stop - start
      full = final || searched === PROBE_BYTES
      if (full && searched > lineStart) add(searched)
    },
    get count() {
      return starts.length
    },
    get full() {
      return full
    },
    lines(bytes, start, count) {
      const kept: Lines = { bytes, starts: [], ends: [] }
      for (let i = 0; i < count; i++) {
        const from = start + starts[i]
        const to = start + ends[i]
        const mark = i === 0 && atStart ? markLength(bytes, from, to) : 0
        if (to > from + mark) {
          kept.starts.push(from + mark)
          kept.ends.push(to)
        }
      }
      return kept
    },
  }
}

/** How long the byte order mark is that stands here: 3 or 0. */
export function markLength(bytes: Uint8Array, start: number, end: number): number {
  return start + 3 <= end && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? 3 : 0
}
