/** Reads the timestamps that the container runtime writes before lines: `2026-03-01T12:00:00.123456789Z`. */
export interface TimestampReader {
  /** Whether the bytes from `start` to `end` are a timestamp; if so, `seconds` and `nanos` contain it. */
  read(bytes: Uint8Array, start: number, end: number): boolean
  readonly seconds: number
  readonly nanos: number
}

/** `2026-03-01T12:00:00Z` */
const SHORTEST = 20

/** The length of `2026-03-01T12:00`, which is nearly always the same as in the previous line. */
const MINUTE = 16

const MINUTE_TEXT = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

const ZERO = 48
const COLON = 58
const DOT = 46
const PLUS = 43
const MINUS = 45
const Z = 90

/**
 * Creates a reader. It is called for every line, so it allocates no strings and no BigInts. The parsed minute is used again while its
 * bytes are the same.
 *
 * @example
 * const stamp = createTimestampReader()
 * if (stamp.read(bytes, 0, 30)) show(stamp.seconds, stamp.nanos)
 */
export function createTimestampReader(): TimestampReader {
  const minute = new Uint8Array(MINUTE)
  let minuteSeconds = Number.NaN
  let seconds = 0
  let nanos = 0

  function isSameMinute(bytes: Uint8Array, start: number): boolean {
    // Backwards, because the last digits change first.
    for (let i = MINUTE - 1; i >= 0; i--) if (bytes[start + i] !== minute[i]) return false
    return true
  }

  function readMinute(bytes: Uint8Array, start: number): number {
    if (isSameMinute(bytes, start)) return minuteSeconds
    minute.set(bytes.subarray(start, start + MINUTE))
    const text = Buffer.from(minute).toString('latin1')
    minuteSeconds = MINUTE_TEXT.test(text) ? Date.parse(`${text}:00Z`) / 1000 : Number.NaN
    return minuteSeconds
  }

  return {
    read(bytes, start, end) {
      if (end - start < SHORTEST || bytes[start + MINUTE] !== COLON) return false
      const base = readMinute(bytes, start)
      const second = twoDigits(bytes, start + 17)
      if (Number.isNaN(base) || second > 60) return false
      let at = start + 19
      let fraction = 0
      if (bytes[at] === DOT) {
        const first = ++at
        for (; at < end && at < first + 9 && isDigit(bytes[at]!); at++) fraction = 10 * fraction + bytes[at]! - ZERO
        if (at === first) return false
        for (let digits = at - first; digits < 9; digits++) fraction *= 10
      }
      const offset = readZone(bytes, at, end)
      if (Number.isNaN(offset)) return false
      seconds = base + second - offset
      nanos = fraction
      return true
    },
    get seconds() {
      return seconds
    },
    get nanos() {
      return nanos
    },
  }
}

/** The offset of the zone in seconds; NaN if the rest is not a zone. */
function readZone(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] === Z) return at + 1 === end ? 0 : Number.NaN
  const sign = bytes[at] === PLUS ? 1 : bytes[at] === MINUS ? -1 : Number.NaN
  if (at + 6 !== end || bytes[at + 3] !== COLON) return Number.NaN
  const hours = twoDigits(bytes, at + 1)
  const minutes = twoDigits(bytes, at + 4)
  return hours > 23 || minutes > 59 ? Number.NaN : sign * (hours * 3600 + minutes * 60)
}

/** Returns 100 if they are not digits. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]!
  const ones = bytes[at + 1]!
  return isDigit(tens) && isDigit(ones) ? 10 * (tens - ZERO) + ones - ZERO : 100
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}

const SECOND = 1_000_000_000n

/** Nanoseconds since 1970 as seconds and the rest, which is faster to compare. */
export interface Timestamp {
  readonly seconds: number
  readonly nanos: number
}

export function timestampOf(time: bigint): Timestamp {
  const seconds = time / SECOND - (time % SECOND < 0n ? 1n : 0n)
  return { seconds: Number(seconds), nanos: Number(time - seconds * SECOND) }
}

export function nanosecondsOf({ seconds, nanos }: Timestamp): bigint {
  return BigInt(seconds) * SECOND + BigInt(nanos)
}

/** Negative if `a` is earlier. */
export function compare(a: Timestamp, b: Timestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos
}
