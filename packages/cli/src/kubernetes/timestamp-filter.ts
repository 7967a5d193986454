import { compare, createTimestampReader, nanosecondsOf, timestampOf } from './timestamp.js'

/** Which lines are wanted, by the timestamps of the container runtime. */
export interface TimestampOptions {
  /** Nanoseconds since 1970. */
  readonly since: bigint | undefined
  readonly until: bigint | undefined
  /** Removes the runtime's timestamps, because the lines have their own. */
  readonly strip: boolean
  /** The last line that was read before. */
  readonly after?: LastLine | undefined
}

/** The time of the last line, and the number of lines with that time. */
export interface LastLine {
  readonly time: bigint
  readonly count: number
}

/** Filters a log that was requested with `timestamps=true`, in chunks. */
export interface TimestampFilter {
  /** Writes the wanted bytes to `into`, which must have `MAX_HELD` more bytes than `bytes`; returns their number. */
  take(bytes: Uint8Array, into: Uint8Array): number
  /** Writes the bytes that were held back at the end of the log. */
  rest(into: Uint8Array): number
  /** Whether a line after `until` was read: all others are later. */
  readonly isOver: boolean
  /** The last line, for a filter that continues later. */
  readonly last: LastLine | undefined
}

/** A timestamp is at most this long: `2026-03-01T12:00:00.123456789+00:00` and a space. */
export const MAX_HELD = 40

const SPACE = 32
const LINE_FEED = 10

/**
 * Creates a filter. Only the first bytes of a line are held back, so its length does not matter.
 *
 * @example
 * const filter = createTimestampFilter({ since, until: undefined, strip: true })
 * const count = filter.take(bytes, buffer)
 */
export function createTimestampFilter(options: TimestampOptions): TimestampFilter {
  const { strip, after } = options
  const since = options.since === undefined ? undefined : timestampOf(options.since)
  const until = options.until === undefined ? undefined : timestampOf(options.until)
  const before = after && timestampOf(after.time)
  const stamp = createTimestampReader()
  /** The first bytes of a line whose rest is in the next chunk. */
  const held = new Uint8Array(MAX_HELD)
  let holding = 0
  let isInLine = false
  let isWanted = true
  let isOver = false
  /** The time of the last complete line, and the number of lines with that time. */
  const last = { seconds: before?.seconds ?? 0, nanos: before?.nanos ?? 0, count: after?.count ?? 0 }
  let counts = false
  /** The number of lines with the time of `after` so far, which were read before. */
  let same = 0

  function isKnown(): boolean {
    const order = before ? compare(stamp, before) : 1
    return order < 0 || (order === 0 && ++same <= after!.count)
  }

  /**
   * Decides about the line that starts with these bytes. The last byte is a space or a line feed, or any other if there is neither
   * within the length of a timestamp. Returns the number of bytes to remove.
   */
  function decide(bytes: Uint8Array, start: number, end: number): number {
    const hasSpace = bytes[end - 1] === SPACE
    // A line without a timestamp belongs to the line before.
    if (!stamp.read(bytes, start, hasSpace ? end - 1 : end)) return 0
    isWanted = (since === undefined || compare(stamp, since) >= 0) && !isKnown()
    if (until !== undefined && compare(stamp, until) > 0) {
      isOver = true
      isWanted = false
    }
    counts = isWanted
    return strip && hasSpace ? end - start : 0
  }

  /** `stamp` still has the timestamp of the line that ends here. */
  function endLine(): void {
    isInLine = false
    if (!counts) return
    last.count = last.seconds === stamp.seconds && last.nanos === stamp.nanos ? last.count + 1 : 1
    last.seconds = stamp.seconds
    last.nanos = stamp.nanos
    counts = false
  }

  return {
    take(bytes, into) {
      let written = 0
      /** Wanted lines are copied in runs, because a copy costs more than a line. */
      let run = 0
      const copy = (from: Uint8Array, start: number, end: number) => {
        if (start >= end) return
        into.set(from.subarray(start, end), written)
        written += end - start
      }
      let at = 0
      while (at < bytes.length && !isOver) {
        if (isInLine) {
          const lineFeed = bytes.indexOf(LINE_FEED, at)
          at = lineFeed < 0 ? bytes.length : lineFeed + 1
          if (lineFeed >= 0) endLine()
          continue
        }
        const start = at
        const wasWanted = isWanted
        at = firstEnd(bytes, at, MAX_HELD - holding)
        const isWhole = at - start === MAX_HELD - holding || isEnd(bytes[at - 1]!)
        if (holding > 0 || !isWhole) {
          if (wasWanted) copy(bytes, run, start)
          held.set(bytes.subarray(start, at), holding)
          holding += at - start
          run = at
          if (!isWhole) break
          const taken = decide(held, 0, holding)
          if (isWanted) copy(held, taken, holding)
          holding = 0
        } else {
          const taken = decide(bytes, start, at)
          if (!wasWanted || !isWanted || taken > 0) {
            if (wasWanted) copy(bytes, run, start)
            run = start + taken
          }
        }
        isInLine = true
        if (bytes[at - 1] === LINE_FEED) endLine()
      }
      if (isWanted) copy(bytes, run, at)
      return written
    },
    rest(into) {
      const count = isWanted && !isOver ? holding : 0
      into.set(held.subarray(0, count))
      holding = 0
      return count
    },
    get isOver() {
      return isOver
    },
    get last() {
      return last.count === 0 ? undefined : { time: nanosecondsOf(last), count: last.count }
    },
  }
}

/** The index after the first space or line feed; at most `start + limit`. */
function firstEnd(bytes: Uint8Array, start: number, max: number): number {
  const limit = Math.min(bytes.length, start + max)
  for (let at = start; at < limit; at++) if (isEnd(bytes[at]!)) return at + 1
  return limit
}

function isEnd(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED
}
