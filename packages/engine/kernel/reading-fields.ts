// The fields of a time and the functions that read them: the twin of src/time/fields.ts. A reading function returns the
// address at which the next operation continues, or 0 if the bytes do not match.

import { FIELD, FIRST_PLAUSIBLE, LAST_PLAUSIBLE, LAST_SECOND, TAI_AHEAD, UNIT, ZONE } from './constants.generated'
import { isDigit, isIn, isWordByte } from './reading-bytes'


/** The values of the fields by FIELD, 32 bits each; -1 if a field was not read. */
export const FIELDS: usize = memory.data(64, 16)

/** The seconds of an epoch time, which do not fit a 32-bit field. */
export let epochSeconds: i64 = 0

let zoneTable: usize = 0

/** Sets the address of the time zone table. */
export function useZones(address: usize): void {
  if (address != zoneTable) lastName = 0
  zoneTable = address
}

@inline
export function field(index: u32): i32 {
  return load<i32>(FIELDS + (index << 2))
}

@inline
export function setField(index: u32, value: i32): void {
  store<i32>(FIELDS + (index << 2), value)
}

@inline
export function clearFields(): void {
  const none = i32x4.splat(-1)
  v128.store(FIELDS, none)
  v128.store(FIELDS + 16, none)
  v128.store(FIELDS + 32, none)
  v128.store(FIELDS + 48, none)
}

@inline
export function readNumber(fieldIndex: u32, fewest: u32, most: u32, start: usize, end: usize): usize {
  let value: i32 = 0
  let at = start
  const stop = min(end, start + most)
  while (at < stop && isDigit(load<u8>(at))) value = value * 10 + <i32>load<u8>(at++) - 48
  if (at - start < fewest) return 0
  setField(fieldIndex, value)
  return at
}

const MONTH_NAMES: usize = memory.data<u8>([
  106, 97, 110, 102, 101, 98, 109, 97, 114, 97, 112, 114, 109, 97, 121, 106, 117, 110, 106, 117, 108, 97, 117, 103, 115,
  101, 112, 111, 99, 116, 110, 111, 118, 100, 101, 99,
])
const WEEKDAY_NAMES: usize = memory.data<u8>([
  109, 111, 110, 116, 117, 101, 119, 101, 100, 116, 104, 117, 102, 114, 105, 115, 97, 116, 115, 117, 110,
])

/** The index of the three-letter name at this address, or -1. */
function nameAt(names: usize, count: i32, at: usize, end: usize): i32 {
  if (at + 3 > end) return -1
  const a = <u32>load<u8>(at) | 32
  const b = <u32>load<u8>(at, 1) | 32
  const c = <u32>load<u8>(at, 2) | 32
  for (let i = 0; i < count; i++) {
    const name = names + 3 * i
    if (load<u8>(name) == a && load<u8>(name, 1) == b && load<u8>(name, 2) == c) return i
  }
  return -1
}

function skipLetters(start: usize, end: usize): usize {
  let at = start
  while (at < end && (<u32>load<u8>(at) | 32) - 97 < 26) at++
  return at
}

export function readMonth(at: usize, end: usize, long: bool): usize {
  const index = nameAt(MONTH_NAMES, 12, at, end)
  if (index < 0) return 0
  setField(FIELD.month, index + 1)
  return long ? skipLetters(at + 3, end) : at + 3
}

export function readWeekday(at: usize, end: usize, long: bool): usize {
  if (nameAt(WEEKDAY_NAMES, 7, at, end) < 0) return 0
  return long ? skipLetters(at + 3, end) : at + 3
}

@inline
export function readFraction(classAt: usize, at: usize, end: usize): usize {
  if (at >= end) return at
  if (load<u8>(classAt) == 0) return isDigit(load<u8>(at)) ? addDigits(at, end, 0, 100000000) : at
  if (!isIn(classAt, load<u8>(at)) || at + 1 >= end || !isDigit(load<u8>(at, 1))) return at
  return addDigits(at + 1, end, 0, 100000000)
}

@inline
function addDigits(start: usize, end: usize, nanos: i32, unit: i32): usize {
  let at = start
  let sum = nanos
  let worth = unit
  while (at < end && isDigit(load<u8>(at))) {
    sum += (<i32>load<u8>(at++) - 48) * worth
    worth /= 10
  }
  setField(FIELD.nanos, sum)
  return at
}

export function readMeridiem(at: usize, end: usize): usize {
  if (at + 2 > end || (<u32>load<u8>(at, 1) | 32) != 109) return 0
  const letter = <u32>load<u8>(at) | 32
  if (letter != 97 && letter != 112) return 0
  setField(FIELD.afternoon, letter == 112 ? 1 : 0)
  return at + 2
}


export function readEpoch(unit: u32, bounded: bool, start: usize, end: usize): usize {
  let stop = start
  while (stop < end && isDigit(load<u8>(stop))) stop++
  const digits = stop - start
  if (digits == 0 || digits > 19 || (unit == UNIT.any && load<u8>(start) == 48 && digits > 1)) return 0
  const places: usize = unit == UNIT.any ? (digits <= 11 ? 0 : digits <= 14 ? 3 : digits <= 17 ? 6 : 9) : unit
  const split = digits > places ? stop - places : start
  // 19 digits fit an unsigned 64-bit number.
  let seconds: u64 = 0
  for (let i = start; i < split; i++) seconds = seconds * 10 + <u64>load<u8>(i) - 48
  if (seconds > <u64>LAST_SECOND) return 0
  if (bounded && (<i64>seconds < FIRST_PLAUSIBLE || <i64>seconds >= <i64>LAST_PLAUSIBLE)) return 0
  setField(FIELD.epoch, 1)
  epochSeconds = <i64>seconds
  let nanos: i32 = 0
  for (let i = split; i < stop; i++) nanos = nanos * 10 + <i32>load<u8>(i) - 48
  const worth = powerOfTen(9 - places)
  nanos *= worth
  if (stop + 1 < end && load<u8>(stop) == 46 && isDigit(load<u8>(stop, 1))) {
    return addDigits(stop + 1, end, nanos, worth / 10)
  }
  setField(FIELD.nanos, nanos)
  return stop
}

function powerOfTen(exponent: usize): i32 {
  let power: i32 = 1
  for (let i: usize = 0; i < exponent; i++) power *= 10
  return power
}


export function readTai(at: usize, end: usize): usize {
  if (at + 24 > end || readHex(at) != 0x40000000) return 0
  const seconds = readHex(at + 8)
  const nanos = readHex(at + 16)
  if (seconds < TAI_AHEAD || nanos < 0 || nanos >= 1000000000) return 0
  setField(FIELD.epoch, 1)
  epochSeconds = seconds - TAI_AHEAD
  setField(FIELD.nanos, <i32>nanos)
  return at + 24
}

/** Eight hexadecimal digits, or -1. */
function readHex(at: usize): i64 {
  let value: i64 = 0
  for (let i = at; i < at + 8; i++) {
    const byte = <u32>load<u8>(i)
    const lower = byte | 32
    if (!isDigit(byte) && lower - 97 >= 6) return -1
    value = value * 16 + <i64>(isDigit(byte) ? byte - 48 : lower - 87)
  }
  return value
}

export function readZone(flags: u32, start: usize, end: usize): usize {
  let at = start
  if (flags & ZONE.space) while (at < end && load<u8>(at) == 32) at++
  const next = at < end ? zoneAt(flags, at, end, at > start) : 0
  if (next != 0) return next
  return flags & ZONE.optional ? start : 0
}

@inline
function zoneAt(flags: u32, at: usize, end: usize, afterSpace: bool): usize {
  const byte = <u32>load<u8>(at)
  if (byte == 43 || byte == 45) return readOffset(flags, at, end, afterSpace)
  if (byte == 90 && (flags & ZONE.z) != 0 && !(afterSpace && at + 1 < end && isWordByte(load<u8>(at, 1)))) {
    return setOffset(0, at + 1)
  }
  return flags & (ZONE.known | ZONE.any) ? readZoneName(flags, at, end) : 0
}

function readOffset(flags: u32, at: usize, end: usize, afterSpace: bool): usize {
  const hours = twoDigits(at + 1, end)
  if (hours < 0 || hours > 23) return 0
  const colon = at + 3 < end && load<u8>(at, 3) == 58
  const minutes = twoDigits(colon ? at + 4 : at + 3, end)
  const sign = load<u8>(at) == 45 ? -1 : 1
  if (minutes >= 0 && minutes < 60 && (flags & (colon ? ZONE.colon : ZONE.plain)) != 0) {
    const next = colon ? at + 6 : at + 5
    return next < end && isDigit(load<u8>(next)) ? 0 : setOffset(sign * (hours * 3600 + minutes * 60), next)
  }
  const isShort = (flags & ZONE.plain) != 0 && !afterSpace && !(at + 3 < end && isDigit(load<u8>(at, 3)))
  return isShort ? setOffset(sign * hours * 3600, at + 3) : 0
}

function twoDigits(at: usize, end: usize): i32 {
  if (at + 2 > end || !isDigit(load<u8>(at)) || !isDigit(load<u8>(at, 1))) return -1
  return (<i32>load<u8>(at) - 48) * 10 + <i32>load<u8>(at, 1) - 48
}

@inline
function setOffset(seconds: i32, next: usize): usize {
  setField(FIELD.hasOffset, 1)
  setField(FIELD.offset, seconds)
  return next
}

function readZoneName(flags: u32, at: usize, end: usize): usize {
  let next = at
  while (next < end && <u32>load<u8>(next) - 65 < 26) next++
  const length = next - at
  if (length < 2 || length > 5 || (next < end && isWordByte(load<u8>(next)))) return 0
  const entry = length > 4 ? 0 : zoneEntry(at, length)
  if (entry == 0) return (flags & ZONE.any) != 0 && length > 2 ? setOffset(0, next) : 0
  const seconds = <i32>load<i8>(entry, 4) * 900
  const isSigned = seconds == 0 && next < end && (load<u8>(next) == 43 || load<u8>(next) == 45)
  const offset = isSigned ? readOffset(ZONE.colon | ZONE.plain, next, end, false) : 0
  return offset != 0 ? offset : setOffset(seconds, next)
}

let lastName: u32 = 0
let lastEntry: usize = 0

/**
 * The entry of a name in the time zone table, or 0. Names are compared as one 4-byte number, padded with zeros. The last
 * name is cached: often it is a log level such as `INFO` that every line has.
 */
function zoneEntry(at: usize, length: usize): usize {
  const name = length < 4 ? load<u32>(at) & ((1 << (<u32>length << 3)) - 1) : load<u32>(at)
  if (name == lastName) return lastEntry
  lastName = name
  lastEntry = 0
  const count = <u32>load<u8>(zoneTable)
  for (let i: u32 = 0, entry = zoneTable + 1; i < count; i++, entry += 5) {
    if (load<u32>(entry) == name) lastEntry = entry
  }
  return lastEntry
}
