import { compare, createStampReader, type Moment, momentOf, nanosecondsOf } from './stamp.js'

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
  /** The last line that has come as a whole, and the present one where it is wanted. */
  let last: { seconds: number; nanos: number; count: number } | undefined = before && { ...before, count: after.count }
  let current: Moment | undefined
  /** Lines of the time of the last line that was read before: those are known. */
  let same = 0

  function isKnown(moment: Moment): boolean {
    const order = before ? compare(moment, before) : 1
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
    isWanted = (since === undefined || compare(stamp, since) >= 0) && !isKnown(stamp)
    if (until !== undefined && compare(stamp, until) > 0) {
      isOver = true
      isWanted = false
    }
    current = isWanted ? { seconds: stamp.seconds, nanos: stamp.nanos } : undefined
    return strip && hasBlank ? end - start : 0
  }

  function endLine(): void {
    isInLine = false
    if (current === undefined) return
    const isSame = last !== undefined && compare(last, current) === 0
    last = { ...current, count: isSame ? last!.count + 1 : 1 }
    current = undefined
  }

  return {
    take(bytes, into) {
      let written = 0
      const write = (from: Uint8Array, start: number, end: number) => {
        if (!isWanted || start === end) return
        into.set(from.subarray(start, end), written)
        written += end - start
      }
      for (let at = 0; at < bytes.length && !isOver; ) {
        if (!isInLine) {
          const end = firstEnd(bytes, at, MOST_HELD - holding)
          const isWhole = end - at === MOST_HELD - holding || isEnd(bytes[end - 1]!)
          if (holding > 0 || !isWhole) {
            held.set(bytes.subarray(at, end), holding)
            holding += end - at
            at = end
            if (!isWhole) break
            write(held, decide(held, 0, holding), holding)
            holding = 0
          } else {
            const taken = decide(bytes, at, end)
            write(bytes, at + taken, end)
            at = end
          }
          isInLine = true
          if (bytes[at - 1] === LINE_FEED) endLine()
          continue
        }
        const lineFeed = bytes.indexOf(LINE_FEED, at)
        const end = lineFeed < 0 ? bytes.length : lineFeed + 1
        write(bytes, at, end)
        at = end
        if (lineFeed >= 0) endLine()
      }
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
      return last && { time: nanosecondsOf(last), count: last.count }
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
