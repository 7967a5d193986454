// Records of container runtimes: the twin of that part of src/scan/reading/plain.ts.

import { DOCKER_PIECE, ENTRY_FLAG, PARTIAL, STATE, TIMED, WANTS } from './constants.generated'
import {
  decodeLog,
  dockerEndsLine,
  dockerHasBackslash,
  dockerLog,
  dockerStream,
  dockerTime,
  dockerTimeEnd,
  readDocker,
  streamAt,
} from './reading-docker'
import { addToPartial, emit, emitPartial, partialOf } from './reading-entries'
import { findTime, lineTimed, needsTable } from './reading-formats'
import { foundEnd, foundTime, runTime } from './reading-time'
import { textStart, timedFlags } from './reading-text'

function takeForeign(state: usize, start: usize, end: usize, flags: u32): u32 {
  const line = load<u32>(state, STATE.line << 2)
  if (findTime(state, 1, start, end)) {
    store<i64>(state, foundTime, STATE.lastTime << 2)
    store<u32>(state, lineTimed, STATE.timed << 2)
    emit(state, textStart(start, end), end, line, foundTime, timedFlags(end, flags))
    return WANTS.bytes
  }
  if (needsTable) return WANTS.table
  emit(state, start, end, line, load<i64>(state, STATE.lastTime << 2), flags)
  return WANTS.bytes
}

/** The format of the records is the first one of the list. */
@inline
function recordFormat(state: usize): usize {
  return load<u32>(state, STATE.formats << 2)
}

export function takeCri(state: usize, start: usize, end: usize, flags: u32): u32 {
  if (!runTime(recordFormat(state), start, end)) return takeForeign(state, start, end, flags)
  const at = foundEnd
  if (at + 9 > end || load<u8>(at) != 32 || load<u8>(at, 7) != 32) return takeForeign(state, start, end, flags)
  const stream = streamAt(at + 1)
  const tag = <u32>load<u8>(at, 8)
  if (stream < 0 || (tag != 70 && tag != 80)) return takeForeign(state, start, end, flags)
  let next = at + 9
  if (next < end && load<u8>(next) == 58) while (next < end && load<u8>(next) != 32) next++
  if (next < end && load<u8>(next) != 32) return takeForeign(state, start, end, flags)
  const partial = partialOf(state, stream)
  const hasPieces = load<u32>(partial, PARTIAL.line << 2) != 0
  if (hasPieces && load<u32>(state, STATE.count << 2) > 0) return WANTS.deliveryFirst
  return takePiece(state, partial, hasPieces, tag == 80, min(next + 1, end), end, flags)
}

export function takeDocker(state: usize, start: usize, end: usize, flags: u32): u32 {
  const fits = readDocker(start, end) && runTime(recordFormat(state), dockerTime, dockerTimeEnd)
  if (!fits || foundEnd != dockerTimeEnd) return takeForeign(state, start, end, flags)
  const partial = partialOf(state, dockerStream)
  const hasPieces = load<u32>(partial, PARTIAL.line << 2) != 0
  if (hasPieces && load<u32>(state, STATE.count << 2) > 0) return WANTS.deliveryFirst
  const text = dockerLog
  let textEnd = decodeLog()
  if (dockerEndsLine && textEnd > text && load<u8>(textEnd - 1) == 13) textEnd--
  const goesOn = !dockerEndsLine && textEnd - text >= <usize>DOCKER_PIECE
  return takePiece(state, partial, hasPieces, goesOn, text, textEnd, dockerHasBackslash ? ENTRY_FLAG.backslash : 0)
}

@inline
function takePiece(
  state: usize,
  partial: usize,
  hasPieces: bool,
  goesOn: bool,
  start: usize,
  end: usize,
  flags: u32,
): u32 {
  if (!hasPieces) {
    store<u32>(state, TIMED.yes, STATE.timed << 2)
    store<i64>(state, foundTime, STATE.lastTime << 2)
  }
  if (!hasPieces && !goesOn) {
    emit(state, start, end, load<u32>(state, STATE.line << 2), foundTime, flags)
    return WANTS.bytes
  }
  addToPartial(state, partial, start, end, foundTime, flags)
  if (goesOn) return WANTS.bytes
  emitPartial(state, partial)
  return WANTS.delivery
}
