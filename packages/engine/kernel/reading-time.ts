// The interpreter of time programs: the twin of src/time/run.ts, with a memo of the last time.

import { FIELD, FORMAT, HEADER, LOCATE, OP } from './constants.generated'
import { findSeparator, holds, isSpace, isDigit, isIn, isSeparator, isWordByte } from './reading-bytes'
import { finishDate, finishedSeconds, moment, useYearLimit } from './reading-calendar'
import {
  clearFields,
  field,
  readEpoch,
  readFraction,
  readMeridiem,
  readMonth,
  readNumber,
  readTai,
  readWeekday,
  readZone,
  useZones,
} from './reading-fields'
import { leadEnd, missLead, skipLead, useLead } from './reading-lead'
import { forget, hasMinute, keep, recall, recalledMinute, recalledOperation, remember, useMemo } from './reading-memo'

/** The result of `runTime`: nanoseconds since 1970, and the start and end of the time in the line. */
export let foundTime: i64 = 0
export let foundStart: usize = 0
export let foundEnd: usize = 0

/** The FORMAT record whose memo and lead are in use. */
let current: usize = 0

/** Sets the time zone table and the latest second for times without a year. */
export function prepareTimes(zones: usize, yearLimit: i64): void {
  // The host may have changed the list of formats.
  current = 0
  useZones(zones)
  useYearLimit(yearLimit)
}

/** Finds the time of a line, the bytes from `start` to `end`, in a format of the list. */
@inline
export function runTime(format: usize, start: usize, end: usize): bool {
  if (format != current) useFormat(format)
  return runProgram(load<u32>(format, FORMAT.program), start, end)
}

function useFormat(format: usize): void {
  current = format
  const program = <usize>load<u32>(format, FORMAT.program)
  useMemo(format + FORMAT.memo)
  useLead(format, program + HEADER + keyLength(program))
}

@inline
function keyLength(program: usize): usize {
  return <u32>load<u8>(program) > <u32>LOCATE.upto ? <usize>load<u8>(program, 2) : 0
}

/** A FORMAT record for programs that run once. */
const ONCE: usize = memory.data(FORMAT.size, 16)

/** Finds the time of a line with a program that is not in the list. */
export function runTimeOnce(program: usize, start: usize, end: usize): bool {
  store<u32>(ONCE, <u32>program, FORMAT.program)
  store<u32>(ONCE, 0, FORMAT.leadEnd)
  useFormat(ONCE)
  forget()
  return runProgram(program, start, end)
}

function runProgram(program: usize, start: usize, end: usize): bool {
  const locate = <u32>load<u8>(program)
  if (locate == LOCATE.start) return runAt(program + HEADER, start, end)
  if (locate == LOCATE.tokens) {
    let at = start
    for (let n = <u32>load<u8>(program, 1); n > 0; n--) {
      while (at < end && !isSpace(load<u8>(at))) at++
      while (at < end && isSpace(load<u8>(at))) at++
    }
    return at < end && runAt(program + HEADER, at, end)
  }
  if (locate == LOCATE.upto) return runUpTo(program, start, end)
  return runAfterKey(program, start, end)
}

function runUpTo(program: usize, start: usize, end: usize): bool {
  let at = start
  const tokens = start < end && isSpace(load<u8>(start)) ? 0 : <i32>load<u8>(program, 1)
  for (let n = tokens; n >= 0; n--) {
    while (at < end && isSeparator(load<u8>(at))) at++
    if (at >= end) return false
    if (runAt(program + HEADER, at, end)) return true
    at = findSeparator(at, end)
  }
  return false
}

/** Searches for the first two bytes of the key at 16 positions at a time. */
function runAfterKey(program: usize, start: usize, end: usize): bool {
  const length = <usize>load<u8>(program, 2)
  const guarded = load<u8>(program, 3) == 1
  const key = program + HEADER
  const second = length > 1 ? 1 : 0
  const firstBytes = i8x16.splat(load<i8>(key))
  const secondBytes = i8x16.splat(load<i8>(key + second))
  for (let at = start; at + length <= end; at += 16) {
    let hits = i8x16.bitmask(
      v128.and(i8x16.eq(v128.load(at), firstBytes), i8x16.eq(v128.load(at + second), secondBytes)),
    )
    while (hits != 0) {
      const position = at + ctz(hits)
      hits &= hits - 1
      if (position + length > end) return false
      if (!holds(position, key, length)) continue
      if (guarded && position > start && isWordByte(load<u8>(position - 1))) continue
      if (runAt(key + length, position + length, end)) return true
    }
  }
  return false
}

/** Runs the operations at one position, from the seconds on if the memo covers the bytes before them. */
@inline
function runAt(operations: usize, start: usize, end: usize): bool {
  foundStart = start
  if (leadEnd == 0) return runFields(operations, start, end)
  const at = skipLead(start, end)
  return at != 0 && runFields(leadEnd, at, end)
}

function runFields(operations: usize, start: usize, end: usize): bool {
  const length = recall(start, end)
  if (length != 0 && interpret(recalledOperation(), start + length, end, start, true)) return true
  clearFields()
  const isTime = interpret(operations, start, end, start, false)
  if (isTime && missLead()) forget()
  return isTime
}

function interpret(operations: usize, from: usize, end: usize, start: usize, remembered: bool): bool {
  let pc = operations
  let at = from
  let otherwise: usize = 0
  let otherwiseAt: usize = 0
  let prefix: usize = 0
  while (true) {
    const op = <u32>load<u8>(pc)
    let next: usize = 0
    switch (op) {
      case OP.match: {
        if (finish(remembered)) {
          foundEnd = at
          if (prefix != 0) keep(prefix)
          return true
        }
        break
      }
      case OP.bytes: {
        const length = <usize>load<u8>(pc, 1)
        if (at + length <= end && holds(at, pc + 2, length)) next = at + length
        pc += 2 + length
        break
      }
      case OP.one: {
        if (at < end && isIn(pc + 1, load<u8>(at))) next = at + 1
        pc += 2 + 2 * <usize>load<u8>(pc, 1)
        break
      }
      case OP.optional: {
        next = at < end && isIn(pc + 1, load<u8>(at)) ? at + 1 : at
        pc += 2 + 2 * <usize>load<u8>(pc, 1)
        break
      }
      case OP.many:
      case OP.some: {
        next = at
        while (next < end && isIn(pc + 1, load<u8>(next))) next++
        if (op == OP.some && next == at) next = 0
        pc += 2 + 2 * <usize>load<u8>(pc, 1)
        break
      }
      case OP.number: {
        const which = <u32>load<u8>(pc, 1)
        if (which == FIELD.second && !remembered) prefix = remember(pc, start, at)
        next = readNumber(which, load<u8>(pc, 2), load<u8>(pc, 3), at, end)
        pc += 4
        break
      }
      case OP.month: {
        next = readMonth(at, end, load<u8>(pc, 1) == 1)
        pc += 2
        break
      }
      case OP.weekday: {
        next = readWeekday(at, end, load<u8>(pc, 1) == 1)
        pc += 2
        break
      }
      case OP.fraction: {
        next = readFraction(pc + 1, at, end)
        pc += 2 + 2 * <usize>load<u8>(pc, 1)
        break
      }
      case OP.meridiem: {
        next = readMeridiem(at, end)
        pc += 1
        break
      }
      case OP.zone: {
        next = readZone(load<u8>(pc, 1), at, end)
        pc += 2
        break
      }
      case OP.epoch: {
        next = readEpoch(load<u8>(pc, 1), load<u8>(pc, 2) == 1, at, end)
        pc += 3
        break
      }
      case OP.tai: {
        next = readTai(at, end)
        pc += 1
        break
      }
      case OP.either: {
        otherwise = pc + 3 + <usize>load<u16>(pc, 1)
        otherwiseAt = at
        next = at
        pc += 3
        break
      }
      default: {
        const goesOn = at < end && (load<u8>(pc, 1) == 0 ? isDigit(load<u8>(at)) : isWordByte(load<u8>(at)))
        if (!goesOn) next = at
        pc += 2
      }
    }
    if (next != 0) {
      at = next
      continue
    }
    if (otherwise == 0) return false
    pc = otherwise
    at = otherwiseAt
    otherwise = 0
    prefix = 0
    clearFields()
  }
}

@inline
function finish(remembered: bool): bool {
  const nanos = <i64>(field(FIELD.millis) >= 0 ? field(FIELD.millis) * 1000000 : max(0, field(FIELD.nanos)))
  if (remembered && hasMinute()) {
    const second = field(FIELD.second)
    if (second > 60) return false
    foundTime = moment(recalledMinute() + <i64>second) * 1000000000 + nanos
    return true
  }
  if (!finishDate()) return false
  foundTime = finishedSeconds * 1000000000 + nanos
  return true
}
