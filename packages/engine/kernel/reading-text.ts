// Lines that are not records of a container: the twin of that part of src/scan/reading/plain.ts.

import { ENTRY_FLAG, KIND, STATE, TEXT, TIMED, WANTS } from './constants.generated'
import { addToOpen, emit, emitOpen, openEntry } from './reading-entries'
import { findTime, lineText, lineTimed, needsTable } from './reading-formats'
import { isIndented, isObject, isRfc3339 } from './reading-lines'
import { foundEnd, foundTime } from './reading-time'

@inline
export function takeText(state: usize, start: usize, end: usize, flags: u32): u32 {
  if (!findTime(state, 0, start, end)) return takeTimeless(state, start, end, flags)
  emitOpen(state)
  const text = textStart(start, end)
  openEntry(state, text, end, foundTime, timedFlags(end, flags))
  store<u32>(state, KIND.lines, STATE.kind << 2)
  store<u32>(state, lineTimed, STATE.timed << 2)
  store<i64>(state, foundTime, STATE.lastTime << 2)
  return WANTS.bytes
}

function takeTimeless(state: usize, start: usize, end: usize, flags: u32): u32 {
  if (needsTable) return WANTS.table
  if (load<u32>(state, STATE.kind << 2) == KIND.none) {
    emit(state, start, end, load<u32>(state, STATE.line << 2), load<i64>(state, STATE.clock << 2), flags)
    return WANTS.bytes
  }
  if (!isObject(start, end) && isContinued(state) && (load<u32>(state, STATE.timed << 2) != TIMED.no || isIndented(start, end))) {
    addToOpen(state, start, end, flags)
    store<u32>(state, load<u32>(state, STATE.folded << 2) + 1, STATE.folded << 2)
    const timeless = load<u32>(state, STATE.timeless << 2) + 1
    store<u32>(state, timeless, STATE.timeless << 2)
    return timeless == load<u32>(state, STATE.reviewAt << 2) ? WANTS.review : WANTS.bytes
  }
  emitOpen(state)
  openEntry(state, start, end, load<i64>(state, STATE.lastTime << 2), flags)
  return WANTS.bytes
}

function isContinued(state: usize): bool {
  if (load<u32>(state, STATE.open << 2) == 0) return false
  if (load<u32>(state, STATE.timeless << 2) > 0) return true
  return !isObject(load<u32>(state, STATE.openStart << 2), load<u32>(state, STATE.openEnd << 2))
}

/** The byte after the time of the line; 0 if nothing follows it. */
@inline
function byteAfterTime(end: usize): u32 {
  return foundEnd < end ? load<u8>(foundEnd) : 0
}

/** Where the text of a line with a time starts. */
@inline
export function textStart(start: usize, end: usize): usize {
  if (byteAfterTime(end) != 32 || lineText == TEXT.whole) return start
  return lineText == TEXT.rest || isRfc3339(start, foundEnd) ? foundEnd + 1 : start
}

/** The flags of a line with a time. */
@inline
export function timedFlags(end: usize, flags: u32): u32 {
  return byteAfterTime(end) == 44 ? flags | ENTRY_FLAG.comma : flags
}
