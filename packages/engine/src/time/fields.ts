import { slots } from './finish.js'
import { FIELD, isDigit, isWordByte, UNIT, ZONE } from './program.js'
import { ZONE_TABLE } from './zones.js'

/** Three letters as one number, in lower case; bytes that are not letters give a number that no name has. */
function threeLetters(a: number, b: number, c: number): number {
  return ((a | 32) << 16) | ((b | 32) << 8) | (c | 32)
}

const packed = (name: string) => threeLetters(name.charCodeAt(0), name.charCodeAt(1), name.charCodeAt(2))
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map(packed)
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(packed)

function nameAt(names: readonly number[], bytes: Uint8Array, at: number, end: number): number {
  return at + 3 > end ? -1 : names.indexOf(threeLetters(bytes[at], bytes[at + 1], bytes[at + 2]))
}

function skipLetters(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && (bytes[at] | 32) >= 97 && (bytes[at] | 32) <= 122) at++
  return at
}

export function readMonth(bytes: Uint8Array, at: number, end: number, long: number): number {
  const index = nameAt(MONTHS, bytes, at, end)
  if (index < 0) return -1
  slots[FIELD.month] = index + 1
  return long === 1 ? skipLetters(bytes, at + 3, end) : at + 3
}

/** The weekday adds nothing to the date: it is skipped. */
export function readWeekday(bytes: Uint8Array, at: number, end: number, long: number): number {
  if (nameAt(WEEKDAYS, bytes, at, end) < 0) return -1
  return long === 1 ? skipLetters(bytes, at + 3, end) : at + 3
}

/** Reads digits of a fraction; those past the ninth are dropped. */
export function readFraction(bytes: Uint8Array, start: number, end: number): number {
  return addDigits(bytes, start, end, 0, 100_000_000)
}

/** Adds digits to `nanos`, the first one worth `unit`, and stores the sum in its slot. */
function addDigits(bytes: Uint8Array, start: number, end: number, nanos: number, unit: number): number {
  let at = start
  let sum = nanos
  let worth = unit
  while (at < end && isDigit(bytes[at])) {
    sum += (bytes[at++] - 48) * worth
    worth = Math.floor(worth / 10)
  }
  slots[FIELD.nanos] = sum
  return at
}

const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

/** 1990-01-01 and 2100-01-01: a number outside of this range is more likely something else. */
export const FIRST_PLAUSIBLE = 631_152_000
export const LAST_PLAUSIBLE = 4_102_444_800

/** The last second whose nanoseconds fit 64 bits. */
export const LAST_SECOND = 9_223_372_035

/** Reads seconds since 1970, or thousandths, millionths or billionths of them. */
export function readEpoch(unit: number, bounded: boolean, bytes: Uint8Array, start: number, end: number): number {
  let stop = start
  while (stop < end && isDigit(bytes[stop])) stop++
  const digits = stop - start
  if (digits === 0 || digits > 19 || (unit === UNIT.any && bytes[start] === 48 && digits > 1)) return -1
  const places = unit === UNIT.any ? placesByMagnitude(digits) : unit
  const split = Math.max(start, stop - places)
  let seconds = 0
  for (let i = start; i < split; i++) seconds = seconds * 10 + bytes[i] - 48
  if (seconds > LAST_SECOND || (bounded && (seconds < FIRST_PLAUSIBLE || seconds >= LAST_PLAUSIBLE))) return -1
  slots[FIELD.epoch] = seconds
  let nanos = 0
  for (let i = split; i < stop; i++) nanos = nanos * 10 + bytes[i] - 48
  nanos *= POWERS[9 - places]
  const hasFraction = stop + 1 < end && bytes[stop] === 46 && isDigit(bytes[stop + 1])
  if (hasFraction) return addDigits(bytes, stop + 1, end, nanos, Math.floor(POWERS[9 - places] / 10))
  slots[FIELD.nanos] = nanos
  return stop
}

function placesByMagnitude(digits: number): number {
  if (digits <= 11) return 0
  if (digits <= 14) return 3
  return digits <= 17 ? 6 : 9
}

/** Seconds that the labels are ahead of the time since 1970, besides the 0x40000000 in their upper half. */
export const TAI_AHEAD = 10

/** Reads a TAI64N label. Its upper half is the same until the year 2106. */
export function readTai(bytes: Uint8Array, at: number, end: number): number {
  if (at + 24 > end || readHex(bytes, at) !== 0x40000000) return -1
  const seconds = readHex(bytes, at + 8)
  const nanos = readHex(bytes, at + 16)
  if (seconds < TAI_AHEAD || nanos < 0 || nanos >= 1e9) return -1
  slots[FIELD.epoch] = seconds - TAI_AHEAD
  slots[FIELD.nanos] = nanos
  return at + 24
}

/** Eight hexadecimal digits, or -1. */
function readHex(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let i = at; i < at + 8; i++) {
    const lower = bytes[i] | 32
    const digit = isDigit(bytes[i]) ? bytes[i] - 48 : lower >= 97 && lower <= 102 ? lower - 87 : -1
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

/** Reads a zone in one of the ways that the flags allow, and stores the seconds ahead of UTC in its slot. */
export function readZone(flags: number, bytes: Uint8Array, start: number, end: number): number {
  let at = start
  if (flags & ZONE.space) while (at < end && bytes[at] === 32) at++
  const next = at < end ? zoneAt(flags, bytes, at, end, at > start) : -1
  if (next >= 0) return next
  return flags & ZONE.optional ? start : -1
}

function zoneAt(flags: number, bytes: Uint8Array, at: number, end: number, afterBlank: boolean): number {
  const byte = bytes[at]
  if (byte === 43 || byte === 45) return readOffset(flags, bytes, at, end, afterBlank)
  if (byte === 90 && flags & ZONE.z && !(afterBlank && at + 1 < end && isWordByte(bytes[at + 1]))) {
    return setOffset(0, at + 1)
  }
  return flags & (ZONE.known | ZONE.any) ? readZoneName(flags, bytes, at, end) : -1
}

/** `+01:00`, `+0100`, and `+01` where no space precedes it. */
function readOffset(flags: number, bytes: Uint8Array, at: number, end: number, afterBlank: boolean): number {
  const hours = twoDigits(bytes, at + 1, end)
  if (hours < 0 || hours > 23) return -1
  const colon = at + 3 < end && bytes[at + 3] === 58
  const minutes = twoDigits(bytes, colon ? at + 4 : at + 3, end)
  const sign = bytes[at] === 45 ? -1 : 1
  if (minutes >= 0 && minutes < 60 && flags & (colon ? ZONE.colon : ZONE.plain)) {
    const next = colon ? at + 6 : at + 5
    return next < end && isDigit(bytes[next]) ? -1 : setOffset(sign * (hours * 3600 + minutes * 60), next)
  }
  const isShort = flags & ZONE.plain && !afterBlank && !(at + 3 < end && isDigit(bytes[at + 3]))
  return isShort ? setOffset(sign * hours * 3600, at + 3) : -1
}

function twoDigits(bytes: Uint8Array, at: number, end: number): number {
  if (at + 2 > end || !isDigit(bytes[at]) || !isDigit(bytes[at + 1])) return -1
  return (bytes[at] - 48) * 10 + bytes[at + 1] - 48
}

function setOffset(seconds: number, next: number): number {
  slots[FIELD.hasOffset] = 1
  slots[FIELD.offset] = seconds
  return next
}

/** A name in capital letters. `UTC+02:00` is an offset with a name before it. */
function readZoneName(flags: number, bytes: Uint8Array, at: number, end: number): number {
  let next = at
  while (next < end && bytes[next] >= 65 && bytes[next] <= 90) next++
  const length = next - at
  if (length < 2 || length > 5 || (next < end && isWordByte(bytes[next]))) return -1
  for (let i = 0, entry = 1; i < ZONE_TABLE[0]; i++, entry += 5) {
    if (!isZoneName(entry, bytes, at, length)) continue
    const seconds = ((ZONE_TABLE[entry + 4] << 24) >> 24) * 900
    const isSigned = seconds === 0 && next < end && (bytes[next] === 43 || bytes[next] === 45)
    const offset = isSigned ? readOffset(ZONE.colon | ZONE.plain, bytes, next, end, false) : -1
    return offset >= 0 ? offset : setOffset(seconds, next)
  }
  return flags & ZONE.any && length > 2 ? setOffset(0, next) : -1
}

function isZoneName(entry: number, bytes: Uint8Array, at: number, length: number): boolean {
  for (let i = 0; i < 4; i++) if (ZONE_TABLE[entry + i] !== (i < length ? bytes[at + i] : 0)) return false
  return length <= 4
}
