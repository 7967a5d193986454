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

const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/**
 * Reads the time in front of a line, as nanoseconds since 1970; undefined when it is none.
 *
 * @example
 * readStamp('2026-03-01T12:00:00.5Z') // 1772366400500000000n
 */
export function readStamp(text: string): bigint | undefined {
  const match = STAMP.exec(text)
  if (!match) return undefined
  const [, seconds, fraction = '', zone] = match
  const milliseconds = Date.parse(`${seconds}${zone}`)
  return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

/**
 * Makes a filter. A line is never held as a whole, however long it is: of each, the first bytes decide.
 *
 * @example
 * const filter = createStampFilter({ since, until: undefined, strip: true })
 * const count = filter.take(bytes, room)
 */
export function createStampFilter({ since, until, strip, after }: StampOptions): StampFilter {
  const held = Buffer.alloc(MOST_HELD)
  let holding = 0
  let isInLine = false
  let isWanted = true
  let isOver = false
  let last = after
  let current: bigint | undefined
  /** Lines of the time of the last line that was read before: those are known. */
  let same = 0

  function isKnown(time: bigint): boolean {
    if (after === undefined || time > after.time) return false
    return time < after.time || ++same <= after.count
  }

  /** Only a line that has come as a whole counts as read. */
  function endLine(): void {
    if (current !== undefined) last = { time: current, count: last?.time === current ? last.count + 1 : 1 }
    current = undefined
  }

  /** Decides about the line that begins with what is held; returns how much of that belongs to it. */
  function decide(end: number): Uint8Array {
    const start = held.subarray(0, holding)
    const hasBlank = end === BLANK
    const time = readStamp(held.toString('latin1', 0, hasBlank ? holding - 1 : holding))
    // A line without a time is of those who wrote the one before it.
    if (time === undefined) return start
    isWanted = (since === undefined || time >= since) && !isKnown(time)
    current = isWanted ? time : undefined
    if (until !== undefined && time > until) {
      isOver = true
      isWanted = false
    }
    return strip && hasBlank ? start.subarray(0, 0) : start
  }

  return {
    take(bytes, into) {
      let written = 0
      const write = (piece: Uint8Array) => {
        if (!isWanted) return
        into.set(piece, written)
        written += piece.length
      }
      for (let at = 0; at < bytes.length && !isOver; ) {
        if (isInLine) {
          const lineFeed = bytes.indexOf(LINE_FEED, at)
          const end = lineFeed < 0 ? bytes.length : lineFeed + 1
          write(bytes.subarray(at, end))
          isInLine = lineFeed < 0
          if (!isInLine) endLine()
          at = end
          continue
        }
        const byte = bytes[at++]!
        held[holding++] = byte
        if (byte !== BLANK && byte !== LINE_FEED && holding < MOST_HELD) continue
        const start = decide(byte)
        write(start)
        holding = 0
        isInLine = byte !== LINE_FEED
        if (!isInLine) endLine()
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
      return last
    },
  }
}
