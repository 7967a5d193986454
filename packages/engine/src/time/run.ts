import { readEpoch, readFraction, readMonth, readTai, readWeekday, readZone } from './fields.js'
import { clearSlots, type FoundTime, finish, slots } from './finish.js'
import { FIELD, HEADER, isDigit, isWordByte, LOCATE, OP } from './program.js'
import type { WallClock } from './wall-clock.js'

/** Looks for a time in a line: see `runTime`. */
type Search = (
  program: Uint8Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  clock: WallClock,
  found: FoundTime,
) => boolean

/**
 * Looks for a time in a line, the bytes from `start` to `end`. The clock decides what a time without a year or a zone means.
 * Returns whether the line has a time, and leaves it in `found`.
 *
 * ```ts
 * const found = { seconds: 0, nanos: 0, start: 0, end: 0 }
 * if (runTime(program, bytes, 0, bytes.length, clock, found)) console.log(found.seconds)
 * ```
 */
export const runTime: Search = (program, bytes, start, end, clock, found) => {
  switch (program[0]) {
    case LOCATE.start:
      return runAt(program, HEADER, bytes, start, end, clock, found)
    case LOCATE.tokens: {
      const at = skipTokens(bytes, start, end, program[1])
      return at < end && runAt(program, HEADER, bytes, at, end, clock, found)
    }
    case LOCATE.upto:
      return runUpTo(program, bytes, start, end, clock, found)
    default:
      return runAfterKey(program, bytes, start, end, clock, found)
  }
}

/** With what the last time was written that `runTime` has found: SHAPE bits of kernel/reading-layout.ts. */
export function foundShape(): number {
  const hasFraction = slots[FIELD.nanos] >= 0 || slots[FIELD.millis] >= 0
  return (hasFraction ? 1 : 0) | (slots[FIELD.hasOffset] >= 0 ? 2 : 0)
}

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9
}

function skipTokens(bytes: Uint8Array, start: number, end: number, count: number): number {
  let at = start
  for (let n = 0; n < count; n++) {
    while (at < end && !isBlank(bytes[at])) at++
    while (at < end && isBlank(bytes[at])) at++
  }
  return at
}

/** Bytes between tokens, where a time may be at the start of any token: spaces, and the separators of columns. */
function isSeparator(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 124 || byte === 44 || byte === 59
}

const runUpTo: Search = (program, bytes, start, end, clock, found) => {
  let at = start
  // An indented line continues the line above; if it has a time, the time is the first thing in it.
  const tokens = start < end && isBlank(bytes[start]) ? 0 : program[1]
  for (let n = tokens; n >= 0; n--) {
    while (at < end && isSeparator(bytes[at])) at++
    if (at >= end) return false
    if (runAt(program, HEADER, bytes, at, end, clock, found)) return true
    while (at < end && !isSeparator(bytes[at])) at++
  }
  return false
}

const runAfterKey: Search = (program, bytes, start, end, clock, found) => {
  const length = program[2]
  const guarded = program[3] === 1
  const first = program[HEADER]
  for (let at = start; at + length <= end; at++) {
    if (bytes[at] !== first || !holds(bytes, at, program, HEADER, length)) continue
    if (guarded && at > start && isWordByte(bytes[at - 1])) continue
    if (runAt(program, HEADER + length, bytes, at + length, end, clock, found)) return true
  }
  return false
}

function holds(bytes: Uint8Array, at: number, text: Uint8Array, from: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[at + i] !== text[from + i]) return false
  return true
}

/** Runs the operations at one place. */
function runAt(
  program: Uint8Array,
  operations: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  clock: WallClock,
  found: FoundTime,
): boolean {
  let pc = operations
  let at = start
  let otherwise = -1
  let otherwiseAt = -1
  clearSlots()
  for (;;) {
    const op = program[pc]
    if (op === OP.match) {
      if (finish(clock, found)) {
        found.start = start
        found.end = at
        return true
      }
      at = -1
    } else if (op === OP.either) {
      otherwise = pc + 3 + program[pc + 1] + 256 * program[pc + 2]
      otherwiseAt = at
      pc += 3
    } else {
      at = step(op, program, pc, bytes, at, end)
      pc += sizeOf(op, program, pc)
    }
    if (at >= 0) continue
    if (otherwise < 0) return false
    pc = otherwise
    at = otherwiseAt
    otherwise = -1
    clearSlots()
  }
}

/** How many bytes an operation takes in the program, with its arguments. */
function sizeOf(op: number, program: Uint8Array, pc: number): number {
  switch (op) {
    case OP.meridiem:
    case OP.tai:
      return 1
    case OP.bytes:
      return 2 + program[pc + 1]
    case OP.number:
      return 4
    case OP.month:
    case OP.weekday:
    case OP.edge:
    case OP.zone:
      return 2
    case OP.epoch:
      return 3
    default:
      return 2 + 2 * program[pc + 1]
  }
}

/** Runs one operation and returns the position in the line after it, or -1 when it does not match. */
function step(op: number, program: Uint8Array, pc: number, bytes: Uint8Array, at: number, end: number): number {
  switch (op) {
    case OP.bytes:
      return at + program[pc + 1] <= end && holds(bytes, at, program, pc + 2, program[pc + 1])
        ? at + program[pc + 1]
        : -1
    case OP.one:
      return at < end && isIn(program, pc + 1, bytes[at]) ? at + 1 : -1
    case OP.optional:
      return at < end && isIn(program, pc + 1, bytes[at]) ? at + 1 : at
    case OP.many:
      return skipClass(program, pc + 1, bytes, at, end)
    case OP.some: {
      const next = skipClass(program, pc + 1, bytes, at, end)
      return next > at ? next : -1
    }
    case OP.number:
      return readNumber(program[pc + 1], program[pc + 2], program[pc + 3], bytes, at, end)
    case OP.month:
      return readMonth(bytes, at, end, program[pc + 1])
    case OP.weekday:
      return readWeekday(bytes, at, end, program[pc + 1])
    case OP.fraction:
      return at < end && isFractionStart(program, pc + 1, bytes, at, end)
        ? readFraction(bytes, program[pc + 1] === 0 ? at : at + 1, end)
        : at
    case OP.meridiem:
      return readMeridiem(bytes, at, end)
    case OP.zone:
      return readZone(program[pc + 1], bytes, at, end)
    case OP.tai:
      return readTai(bytes, at, end)
    case OP.epoch:
      return readEpoch(program[pc + 1], program[pc + 2] === 1, bytes, at, end)
    default:
      return at < end && (program[pc + 1] === 0 ? isDigit(bytes[at]) : isWordByte(bytes[at])) ? -1 : at
  }
}

function isFractionStart(program: Uint8Array, classAt: number, bytes: Uint8Array, at: number, end: number): boolean {
  if (program[classAt] === 0) return isDigit(bytes[at])
  return isIn(program, classAt, bytes[at]) && at + 1 < end && isDigit(bytes[at + 1])
}

function isIn(program: Uint8Array, classAt: number, byte: number): boolean {
  for (let i = 0; i < program[classAt]; i++) {
    const range = classAt + 1 + 2 * i
    if (byte >= program[range] && byte <= program[range + 1]) return true
  }
  return false
}

function skipClass(program: Uint8Array, classAt: number, bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && isIn(program, classAt, bytes[at])) at++
  return at
}

function readNumber(
  field: number,
  fewest: number,
  most: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let value = 0
  let at = start
  const stop = Math.min(end, start + most)
  while (at < stop && isDigit(bytes[at])) value = value * 10 + bytes[at++] - 48
  if (at - start < fewest) return -1
  slots[field] = value
  return at
}

function readMeridiem(bytes: Uint8Array, at: number, end: number): number {
  if (at + 2 > end || (bytes[at + 1] | 32) !== 109) return -1
  const letter = bytes[at] | 32
  if (letter !== 97 && letter !== 112) return -1
  slots[FIELD.afternoon] = letter === 112 ? 1 : 0
  return at + 2
}
