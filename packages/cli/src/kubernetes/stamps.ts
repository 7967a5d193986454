import { compare, createStampReader, momentOf, nanosecondsOf } from './stamp.js'

/** Which lines of a log are wanted, by the times that the runtime gives them; and what becomes of those times. */
export interface StampOptions {
  /** Nanoseconds since 1970. */
  readonly since: bigint | undefined
  readonly until: bigint | undefined
  /** The lines have times of their own: that of the runtime is taken away. */
  readonly strip: boolean
  /** Lines up to this one were read before. */
  readonly after?: LastLine | undefined
}

/** The last line that was read: its time, and how many lines have that very time. */
export interface LastLine {
  readonly time: bigint
  readonly count: number
}

/** Takes a log that was asked for with `timestamps=true`, piece by piece. */
export interface StampFilter {
  /** Writes what is left of the bytes to `into`, which has room for them and `MOST_HELD` more; returns how many that are. */
  take(bytes: Uint8Array, into: Uint8Array): number
  /** What was held back at the end of the log. */
  rest(into: Uint8Array): number
  /** A line after `until` has come: what follows is later still. */
  readonly isOver: boolean
  /** How far it came: what goes on later begins after this. */
  readonly last: LastLine | undefined
}

/** No time is longer: `2026-03-01T12:00:00.123456789+00:00`. */
export const MOST_HELD = 40

const BLANK = 32
const LINE_FEED = 10

/**
 * Makes a filter. A line is never held as a whole, however long it is: of each, the first bytes decide.
 *
 * @example
 * const filter = createStampFilter({ since, until: undefined, strip: true })
 * const count = filter.take(bytes, room)
 */
export function createStampFilter(options: StampOptions): StampFilter {
  const { strip, after } = options
  const since = options.since === undefined ? undefined : momentOf(options.since)
  const until = options.until === undefined ? undefined : momentOf(options.until)
  const before = after && momentOf(after.time)
  const stamp = createStampReader()
  /** The first bytes of a line that was cut there. */
  const held = new Uint8Array(MOST_HELD)
  let holding = 0
  let isInLine = false
  let isWanted = true
  let isOver = false
  /** The time of the last line that has come as a whole, how many have it, and whether the present one is wanted for it. */
  const last = { seconds: before?.seconds ?? 0, nanos: before?.nanos ?? 0, count: after?.count ?? 0 }
  let counts = false
  /** Lines of the time of the last line that was read before: those are known. */
  let same = 0

  function isKnown(): boolean {
    const order = before ? compare(stamp, before) : 1
    return order < 0 || (order === 0 && ++same <= after!.count)
  }

  /**
   * Decides about the line that begins with these bytes, of which the last is a blank, a line feed, or any other where there is
   * neither for as long as a time could be. Returns how many of them are taken away.
   */
  function decide(bytes: Uint8Array, start: number, end: number): number {
    const hasBlank = bytes[end - 1] === BLANK
    // A line without a time is of those who wrote the one before it.
    if (!stamp.read(bytes, start, hasBlank ? end - 1 : end)) return 0
    isWanted = (since === undefined || compare(stamp, since) >= 0) && !isKnown()
    if (until !== undefined && compare(stamp, until) > 0) {
      isOver = true
      isWanted = false
    }
    counts = isWanted
    return strip && hasBlank ? end - start : 0
  }

  /** The stamp is that of the line that ends here: the next one has not been looked at. */
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
      /** What is wanted is copied in runs, as long as nothing has to be left out: each copy costs more than a line. */
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
        at = firstEnd(bytes, at, MOST_HELD - holding)
        const isWhole = at - start === MOST_HELD - holding || isEnd(bytes[at - 1]!)
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

/** Behind the first blank or line feed, or so many bytes on where there is none. */
function firstEnd(bytes: Uint8Array, start: number, most: number): number {
  const limit = Math.min(bytes.length, start + most)
  for (let at = start; at < limit; at++) if (isEnd(bytes[at]!)) return at + 1
  return limit
}

function isEnd(byte: number): boolean {
  return byte === BLANK || byte === LINE_FEED
}
