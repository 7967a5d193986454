// Finds the time of a line with the formats of its stream, and with the table of formats if none of them fits: the twin of
// src/scan/reading/line-time.ts.

import { FIELD, FORMAT, MOST_FORMATS, NEAR_SECONDS, ROW, ROW_FLAG, SHAPE, STATE, TABLE, TIMED } from './constants.generated'
import { isDigit } from './reading-bytes'
import { field } from './reading-fields'
import { isIndented, isObject, traitsOf } from './reading-lines'
import { restoreLocal, watchLocal } from './reading-local'
import { foundStart, foundTime, runTime, runTimeOnce } from './reading-time'
import { areOfLogger, startsWithLevel } from './reading-words'

/** The TEXT and TIMED of the format of the line. */
export let lineText: u32 = 0
export let lineTimed: u32 = 0
/** Whether the table of formats must be put into memory before the line can be read. */
export let needsTable: bool = false

/**
 * Finds the time of a line with the formats of the list from index `from` on, the preferred ones first, or else with the table;
 * returns whether the line starts an entry. The time is then in `foundTime` and `foundEnd`.
 */
@inline
export function findTime(state: usize, from: usize, start: usize, end: usize): bool {
  const recent = <usize>load<u32>(state, STATE.recent << 2)
  if (recent == 0 || !isPreferred(state, recent, start, end)) return findOther(state, from, 0, start, end)
  return takesFormat(state, recent, start, end) || findOther(state, from, recent, start, end)
}

/** Whether no format of the list is preferred to the one that was used last. */
@inline
function isPreferred(state: usize, recent: usize, start: usize, end: usize): bool {
  const top = load<u32>(state, STATE.topObjectRank << 2)
  const rank = load<u32>(recent, FORMAT.rank)
  if (top == 0 || !isObject(start, end)) return rank == load<u32>(state, STATE.topRank << 2)
  return rank == top && (load<u32>(recent, FORMAT.flags) & ROW_FLAG.object) != 0
}

/** Whether a line has a time in this format of the list that starts an entry. */
@inline
function takesFormat(state: usize, format: usize, start: usize, end: usize): bool {
  watchLocal()
  if (!runTime(format, start, end)) return false
  const flags = load<u32>(format, FORMAT.flags)
  if (flags > <u32>ROW_FLAG.object && !hasWords(flags, start, end)) {
    restoreLocal()
    return false
  }
  const shape = shapeBit()
  if ((load<u32>(format, FORMAT.shapes) & shape) == 0 && !takesShape(state, format, shape)) return false
  lineText = load<u32>(format, FORMAT.text)
  lineTimed = load<u32>(format, FORMAT.timed)
  return true
}

@inline
function shapeBit(): u32 {
  const hasFraction = field(FIELD.nanos) >= 0 || field(FIELD.millis) >= 0
  return 1 << ((hasFraction ? SHAPE.fraction : 0) | (field(FIELD.hasOffset) >= 0 ? SHAPE.zone : 0))
}

function takesShape(state: usize, format: usize, shape: u32): bool {
  if (!isNear(state)) {
    restoreLocal()
    return false
  }
  store<u32>(format, load<u32>(format, FORMAT.shapes) | shape, FORMAT.shapes)
  return true
}

const NEAR: i64 = <i64>NEAR_SECONDS * 1000000000

function isNear(state: usize): bool {
  if (load<u32>(state, STATE.timed << 2) != TIMED.yes) return true
  const distance = foundTime - load<i64>(state, STATE.lastTime << 2)
  return distance <= NEAR && distance >= -NEAR
}

/** Whether a line has the words before its time that the flags of a format ask for. */
function hasWords(flags: u32, start: usize, end: usize): bool {
  if ((flags & ROW_FLAG.level) != 0) return startsWithLevel(start, end)
  return (flags & ROW_FLAG.words) == 0 || areOfLogger(start, foundStart)
}

/** Tries all formats except `tried`, which did not fit. */
function findOther(state: usize, from: usize, tried: usize, start: usize, end: usize): bool {
  const inObject = isObject(start, end)
  if (inObject && findOfRanks(state, from, tried, start, end, ROW_FLAG.object, ROW_FLAG.object)) return true
  if (findOfRanks(state, from, tried, start, end, inObject ? ROW_FLAG.object : 0, 0)) return true
  needsTable = false
  if (!mayHaveTime(start, end, inObject)) return false
  if (load<u32>(state, STATE.table << 2) == 0) {
    needsTable = true
    return false
  }
  return discover(state, start, end, inObject)
}

/** Tries the formats whose flags have these values, by rank; of the same rank first the one that was used last. */
function findOfRanks(state: usize, from: usize, tried: usize, start: usize, end: usize, mask: u32, value: u32): bool {
  const formats = <usize>load<u32>(state, STATE.formats << 2)
  const first = formats + from * FORMAT.size
  const last = formats + <usize>load<u32>(state, STATE.formatCount << 2) * FORMAT.size
  if (first == last || (tried == first && last == first + FORMAT.size)) return false
  const recent = <usize>load<u32>(state, STATE.recent << 2)
  const byte: u32 = start < end ? load<u8>(start) : 0
  for (let rank = load<u32>(state, STATE.topRank << 2); rank > 0; rank--) {
    // `recent` has its turn first, so the loop starts one record before the list.
    for (let format = first - FORMAT.size; format != last; format += FORMAT.size) {
      const next = format < first ? recent : format
      if (next == 0 || next == tried || (next == recent && format >= first)) continue
      if (load<u32>(next, FORMAT.rank) != rank || (load<u32>(next, FORMAT.flags) & mask) != value) continue
      if (!hasBit(next + FORMAT.firstBytes, byte) || !takesFormat(state, next, start, end)) continue
      store<u32>(state, <u32>next, STATE.recent << 2)
      return true
    }
  }
  return false
}

@inline
function hasBit(bits: usize, byte: u32): bool {
  return ((load<u8>(bits + (byte >> 3)) >> (byte & 7)) & 1) == 1
}

let lineTraits: u32 = 0

function mayHaveTime(start: usize, end: usize, inObject: bool): bool {
  if (start == end) return false
  if (!inObject && isIndented(start, end)) return false
  lineTraits = traitsOf(start, end)
  return isDigit(load<u8>(start)) || load<u8>(start) == 91 || lineTraits != 0
}

/** Searches the table for the format of a line, and adds it to the list. */
function discover(state: usize, start: usize, end: usize, inObject: bool): bool {
  const timed = load<u32>(state, STATE.timed << 2) != TIMED.no
  const table = <usize>load<u32>(state, STATE.table << 2)
  let best: usize = 0
  let bestStart: usize = 0
  let at = table + <usize>load<u32>(table + TABLE.lists + (<usize>load<u8>(start) << 2))
  for (; load<u32>(at) != 0; at += 4) {
    const row = table + <usize>load<u32>(at)
    if (best != 0 && (load<u32>(row, ROW.rank) < load<u32>(best, ROW.rank) || bestStart == start)) break
    const flags = load<u32>(row, ROW.flags)
    if ((flags & ROW_FLAG.object) != 0 && !inObject) continue
    if ((flags & ROW_FLAG.anywhere) != 0 && !timed) continue
    const screen = load<u32>(row, ROW.screen)
    if (screen != 0 && (screen & lineTraits) == 0) continue
    watchLocal()
    const fits = runTimeOnce(table + <usize>load<u32>(row, ROW.program), start, end) && hasWords(flags, start, end) && isNear(state)
    restoreLocal()
    if (!fits || (best != 0 && foundStart >= bestStart)) continue
    best = row
    bestStart = foundStart
  }
  if (best == 0) return false
  // The local time of the stream moves with the time that is used, not with the others that were tried.
  runTimeOnce(table + <usize>load<u32>(best, ROW.program), start, end)
  lineText = load<u32>(best, ROW.text)
  // A clock without a date is never found by one line.
  lineTimed = TIMED.yes
  append(state, best, shapeBit())
  return true
}

function append(state: usize, row: usize, shape: u32): void {
  const count = load<u32>(state, STATE.formatCount << 2)
  if (count == MOST_FORMATS) return
  const format = <usize>load<u32>(state, STATE.formats << 2) + <usize>count * FORMAT.size
  memory.fill(format, 0, FORMAT.size)
  const program = load<u32>(state, STATE.table << 2) + load<u32>(row, ROW.program)
  store<u32>(format, program, FORMAT.program)
  store<u32>(format, load<u32>(row, ROW.text), FORMAT.text)
  store<u32>(format, shape, FORMAT.shapes)
  store<u32>(format, load<u32>(row, ROW.row), FORMAT.row)
  store<u32>(format, TIMED.yes, FORMAT.timed)
  const flags = load<u32>(row, ROW.flags)
  const rank = load<u32>(row, ROW.rank)
  store<u32>(format, flags, FORMAT.flags)
  store<u32>(format, rank, FORMAT.rank)
  store<u32>(state, max(rank, load<u32>(state, STATE.topRank << 2)), STATE.topRank << 2)
  if ((flags & ROW_FLAG.object) != 0) {
    store<u32>(state, max(rank, load<u32>(state, STATE.topObjectRank << 2)), STATE.topObjectRank << 2)
  }
  memory.copy(format + FORMAT.firstBytes, row + ROW.firstBytes, 32)
  store<u32>(state, count + 1, STATE.formatCount << 2)
  store<u32>(state, <u32>format, STATE.recent << 2)
}
