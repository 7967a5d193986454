// Reads bytes as entries: the twin of src/scan/reading/plain.ts and entries.ts, statement by statement. The state block is
// described in src/scan/kernel/reading-layout.ts.

import { DOCKER_PIECE, ENTRY_FLAG, KIND, LINE_BYTE, LONGEST, PARTIAL, REVIEW_AFTER, STATE, WANTS } from './constants.generated'
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
import { removeEscapes } from './reading-escapes'
import { useLocal } from './reading-local'
import { foundEnd, foundTime, prepareTimes, runTime } from './reading-time'

@inline
function partialOf(state: usize, stream: usize): usize {
  return state + (STATE.partials << 2) + (<usize>(PARTIAL.size << 2)) * stream
}

/** LINE_BYTE bits of the line that was searched for its end, and ENTRY_FLAG bits of the line that is taken. */
let lineBytes: u32 = 0
let lineFlags: u32 = 0

/** Reads lines until the host must act; returns one of WANTS. */
export function readLines(state: usize): u32 {
  const limit = <usize>load<u32>(state, STATE.limit << 2)
  const final = load<u32>(state, STATE.final << 2) == 1
  const capacity = load<u32>(state, STATE.capacity << 2)
  prepareTimes(load<u32>(state, STATE.program << 2), state + (STATE.memo << 2), load<u32>(state, STATE.zones << 2), load<i64>(state, STATE.yearLimit << 2))
  useLocal(state + (STATE.local << 2))
  store<u32>(state, 0, STATE.count << 2)
  while (true) {
    if (load<u32>(state, STATE.count << 2) == capacity) return WANTS.delivery
    const start = <usize>load<u32>(state, STATE.at << 2)
    assert(start <= limit)
    lineBytes = load<u32>(state, STATE.lineBytes << 2)
    const lineFeed = findLineFeed(load<u32>(state, STATE.searched << 2), limit)
    const isLine = lineFeed < limit
    const next = isLine ? lineFeed + 1 : limit
    if (load<u32>(state, STATE.skipping << 2) == 1) {
      passTo(state, next, isLine || final)
      if (!isLine && !final) return WANTS.bytes
      store<u32>(state, 0, STATE.skipping << 2)
      continue
    }
    if (!isLine && next - start < <usize>LONGEST + 2) {
      store<u32>(state, <u32>next, STATE.searched << 2)
      store<u32>(state, lineBytes, STATE.lineBytes << 2)
      if (!final) return WANTS.bytes
      if (next == start) return finishEntries(state)
    }
    const lineEnd = isLine && lineFeed > start && load<u8>(lineFeed - 1) == 13 ? lineFeed - 1 : lineFeed
    const end = min(lineEnd, start + <usize>LONGEST)
    if (end < lineEnd) cutLine(state, start, end)
    const plain = lineBytes & LINE_BYTE.escape ? withoutEscapes(state, start, end) : start
    lineFlags = lineBytes & LINE_BYTE.backslash
    const wants = takeLine(state, plain, end)
    if (wants == WANTS.deliveryFirst) return WANTS.delivery
    passTo(state, next, isLine || final)
    if (!isLine && !final) store<u32>(state, 1, STATE.skipping << 2)
    if (wants != WANTS.bytes) return wants
  }
}

/**
 * The first line feed from `start` on, or `end`; adds the bytes before it to `lineBytes`. Reads 32 bytes at a time, so up to
 * 31 bytes after `end`.
 */
@inline
function findLineFeed(start: usize, end: usize): usize {
  let backslashes = i8x16.splat(0)
  let noted: u32 = 0
  let at = start
  while (at < end) {
    const low = v128.load(at)
    const high = v128.load(at, 16)
    const lowBackslashes = i8x16.eq(low, i8x16.splat(92))
    const highBackslashes = i8x16.eq(high, i8x16.splat(92))
    // A line feed and an escape byte are below 28; so are bytes outside ASCII, because the comparison is signed.
    const isText = !v128.any_true(v128.or(i8x16.lt_s(low, i8x16.splat(28)), i8x16.lt_s(high, i8x16.splat(28))))
    if (isText && at + 32 <= end) {
      backslashes = v128.or(backslashes, v128.or(lowBackslashes, highBackslashes))
      at += 32
      continue
    }
    const hits = maskOf(i8x16.eq(low, i8x16.splat(10)), i8x16.eq(high, i8x16.splat(10)))
    const length = min(hits == 0 ? 32 : <usize>ctz(hits), end - at)
    const before = <u32>((<u64>1 << length) - 1)
    const escapes = maskOf(i8x16.eq(low, i8x16.splat(27)), i8x16.eq(high, i8x16.splat(27)))
    if ((maskOf(lowBackslashes, highBackslashes) & before) != 0) noted |= LINE_BYTE.backslash
    if ((escapes & before) != 0) noted |= LINE_BYTE.escape
    at += length
    if (length < 32) break
  }
  if (v128.any_true(backslashes)) noted |= LINE_BYTE.backslash
  lineBytes |= noted
  return at
}

/** A mask of 32 bytes: bit 0 is the first of them. */
@inline
function maskOf(low: v128, high: v128): u32 {
  return i8x16.bitmask(low) | (i8x16.bitmask(high) << 16)
}

/** Notes the bytes of a line again, because a part of it was removed. */
function noteLine(start: usize, end: usize): void {
  lineBytes = 0
  findLineFeed(start, end)
}

/** A line is longer than LONGEST: only the part before the cut counts, however much of the line was searched. */
function cutLine(state: usize, start: usize, end: usize): void {
  noteCut(state)
  noteLine(start, end)
}

/**
 * Removes the escape sequences of a line; returns its new start. The end of the line stays where it is, so that the line can
 * be read again if the host must act first.
 */
function withoutEscapes(state: usize, start: usize, end: usize): usize {
  const length = removeEscapes(start, end) - start
  const moved = end - length
  memory.copy(moved, start, length)
  store<u32>(state, <u32>moved, STATE.at << 2)
  store<u32>(state, <u32>moved, STATE.searched << 2)
  store<u32>(state, 0, STATE.lineBytes << 2)
  noteLine(moved, end)
  return moved
}

@inline
function passTo(state: usize, next: usize, isLine: bool): void {
  store<u32>(state, <u32>next, STATE.at << 2)
  store<u32>(state, <u32>next, STATE.searched << 2)
  store<u32>(state, 0, STATE.lineBytes << 2)
  if (isLine) store<u32>(state, load<u32>(state, STATE.line << 2) + 1, STATE.line << 2)
}

function finishEntries(state: usize): u32 {
  emitOpen(state)
  const first = partialOf(state, 0)
  const second = first + (PARTIAL.size << 2)
  const a = load<u32>(first, PARTIAL.line << 2)
  const b = load<u32>(second, PARTIAL.line << 2)
  if (a == 0 && b == 0) return WANTS.bytes
  if (load<u32>(state, STATE.count << 2) == 0) emitPartial(state, b == 0 || (a != 0 && a < b) ? first : second)
  return WANTS.delivery
}

@inline
function emit(state: usize, start: usize, end: usize, line: u32, time: i64, flags: u32): void {
  const index = <usize>load<u32>(state, STATE.count << 2)
  if (!ASC_NO_ASSERT) assert(<u32>index < load<u32>(state, STATE.capacity << 2))
  store<u32>(state, <u32>index + 1, STATE.count << 2)
  store<u32>(<usize>load<u32>(state, STATE.starts << 2) + (index << 2), <u32>start)
  store<u32>(<usize>load<u32>(state, STATE.ends << 2) + (index << 2), <u32>end)
  store<u32>(<usize>load<u32>(state, STATE.lines << 2) + (index << 2), line)
  store<i64>(<usize>load<u32>(state, STATE.times << 2) + (index << 3), time)
  store<u8>(<usize>load<u32>(state, STATE.flags << 2) + index, <u8>flags)
}

@inline
function emitOpen(state: usize): void {
  if (load<u32>(state, STATE.open << 2) == 0) return
  store<u32>(state, 0, STATE.open << 2)
  emit(
    state,
    load<u32>(state, STATE.openStart << 2),
    load<u32>(state, STATE.openEnd << 2),
    load<u32>(state, STATE.openLine << 2),
    load<i64>(state, STATE.openTime << 2),
    load<u32>(state, STATE.openFlags << 2),
  )
}

function noteCut(state: usize): void {
  if (load<u32>(state, STATE.cutLine << 2) == 0) store<u32>(state, load<u32>(state, STATE.line << 2), STATE.cutLine << 2)
}

@inline
function takeLine(state: usize, lineStart: usize, end: usize): u32 {
  const start = load<u32>(state, STATE.line << 2) == 1 ? lineStart + markLength(lineStart, end) : lineStart
  const kind = load<u32>(state, STATE.kind << 2)
  if (kind == KIND.none) {
    emit(state, start, end, load<u32>(state, STATE.line << 2), load<i64>(state, STATE.clock << 2), lineFlags)
    return WANTS.bytes
  }
  if (kind == KIND.cri) return takeCri(state, start, end)
  if (kind == KIND.docker) return takeDocker(state, start, end)
  return takeTimed(state, kind, start, end)
}

function markLength(start: usize, end: usize): usize {
  return start + 3 <= end && (load<u32>(start) & 0xffffff) == 0xbfbbef ? 3 : 0
}

@inline
function takeTimed(state: usize, kind: u32, start: usize, end: usize): u32 {
  if (!runTime(load<u32>(state, STATE.program << 2), start, end)) {
    if (load<u32>(state, STATE.open << 2) == 0) return openFollower(state, start, end)
    addToOpen(state, start, end)
    return missed(state)
  }
  emitOpen(state)
  met(state)
  const after: u32 = foundEnd < end ? load<u8>(foundEnd) : 0
  const isRest = kind == KIND.rest && after == 32
  if (after == 44) lineFlags |= ENTRY_FLAG.comma
  openEntry(state, isRest ? foundEnd + 1 : start, end, foundTime)
  return WANTS.bytes
}

@inline
function openEntry(state: usize, start: usize, end: usize, time: i64): void {
  store<u32>(state, 1, STATE.open << 2)
  store<u32>(state, <u32>start, STATE.openStart << 2)
  store<u32>(state, <u32>end, STATE.openEnd << 2)
  store<u32>(state, load<u32>(state, STATE.line << 2), STATE.openLine << 2)
  store<u32>(state, lineFlags, STATE.openFlags << 2)
  store<i64>(state, time, STATE.openTime << 2)
}

/** A line without a time and without an open entry: the entry before it was delivered early, or there was none. */
function openFollower(state: usize, start: usize, end: usize): u32 {
  if (load<u32>(state, STATE.hasTime << 2) == 1) openEntry(state, start, end, load<i64>(state, STATE.lastTime << 2))
  return WANTS.bytes
}

@inline
function met(state: usize): void {
  store<u32>(state, 0, STATE.timeless << 2)
  store<u32>(state, REVIEW_AFTER, STATE.reviewAt << 2)
}

function missed(state: usize): u32 {
  const timeless = load<u32>(state, STATE.timeless << 2) + 1
  store<u32>(state, timeless, STATE.timeless << 2)
  return timeless == load<u32>(state, STATE.reviewAt << 2) ? WANTS.review : WANTS.bytes
}

function addToOpen(state: usize, start: usize, end: usize): void {
  const textEnd = <usize>load<u32>(state, STATE.openEnd << 2)
  const free = <usize>LONGEST - (textEnd - <usize>load<u32>(state, STATE.openStart << 2))
  if (end - start + 1 > free) noteCut(state)
  if (free == 0) return
  const take = min(free - 1, end - start)
  store<u8>(textEnd, 10)
  if (textEnd + 1 != start) memory.copy(textEnd + 1, start, take)
  store<u32>(state, <u32>(textEnd + 1 + take), STATE.openEnd << 2)
  store<u32>(state, load<u32>(state, STATE.openFlags << 2) | lineFlags, STATE.openFlags << 2)
}

function takeForeign(state: usize, start: usize, end: usize): u32 {
  if (load<u32>(state, STATE.hasTime << 2) == 0) return WANTS.bytes
  emit(state, start, end, load<u32>(state, STATE.line << 2), load<i64>(state, STATE.lastTime << 2), lineFlags)
  return missed(state)
}

function takeCri(state: usize, start: usize, end: usize): u32 {
  if (!runTime(load<u32>(state, STATE.program << 2), start, end)) return takeForeign(state, start, end)
  const at = foundEnd
  if (at + 9 > end || load<u8>(at) != 32 || load<u8>(at, 7) != 32) return takeForeign(state, start, end)
  const stream = streamAt(at + 1)
  const tag = <u32>load<u8>(at, 8)
  if (stream < 0 || (tag != 70 && tag != 80)) return takeForeign(state, start, end)
  let next = at + 9
  if (next < end && load<u8>(next) == 58) while (next < end && load<u8>(next) != 32) next++
  if (next < end && load<u8>(next) != 32) return takeForeign(state, start, end)
  const partial = partialOf(state, stream)
  const hasPieces = load<u32>(partial, PARTIAL.line << 2) != 0
  if (hasPieces && load<u32>(state, STATE.count << 2) > 0) return WANTS.deliveryFirst
  return takePiece(state, partial, hasPieces, tag == 80, min(next + 1, end), end)
}

function takeDocker(state: usize, start: usize, end: usize): u32 {
  const fits = readDocker(start, end) && runTime(load<u32>(state, STATE.program << 2), dockerTime, dockerTimeEnd)
  if (!fits || foundEnd != dockerTimeEnd) return takeForeign(state, start, end)
  const partial = partialOf(state, dockerStream)
  const hasPieces = load<u32>(partial, PARTIAL.line << 2) != 0
  if (hasPieces && load<u32>(state, STATE.count << 2) > 0) return WANTS.deliveryFirst
  const text = dockerLog
  let textEnd = decodeLog()
  lineFlags = dockerHasBackslash ? ENTRY_FLAG.backslash : 0
  if (dockerEndsLine && textEnd > text && load<u8>(textEnd - 1) == 13) textEnd--
  return takePiece(state, partial, hasPieces, !dockerEndsLine && textEnd - text >= <usize>DOCKER_PIECE, text, textEnd)
}

@inline
function takePiece(state: usize, partial: usize, hasPieces: bool, goesOn: bool, start: usize, end: usize): u32 {
  met(state)
  if (!hasPieces) {
    store<u32>(state, 1, STATE.hasTime << 2)
    store<i64>(state, foundTime, STATE.lastTime << 2)
  }
  if (!hasPieces && !goesOn) {
    emit(state, start, end, load<u32>(state, STATE.line << 2), foundTime, lineFlags)
    return WANTS.bytes
  }
  addToPartial(state, partial, start, end)
  if (goesOn) return WANTS.bytes
  emitPartial(state, partial)
  return WANTS.delivery
}

function addToPartial(state: usize, partial: usize, start: usize, end: usize): void {
  if (load<u32>(partial, PARTIAL.line << 2) == 0) {
    store<u32>(partial, load<u32>(state, STATE.line << 2), PARTIAL.line << 2)
    store<u32>(partial, 0, PARTIAL.length << 2)
    store<u32>(partial, 0, PARTIAL.flags << 2)
    store<i64>(partial, foundTime, PARTIAL.time << 2)
  }
  const length = <usize>load<u32>(partial, PARTIAL.length << 2)
  const take = min(<usize>LONGEST - length, end - start)
  if (take < end - start) noteCut(state)
  memory.copy(<usize>load<u32>(partial, PARTIAL.text << 2) + length, start, take)
  store<u32>(partial, <u32>(length + take), PARTIAL.length << 2)
  store<u32>(partial, load<u32>(partial, PARTIAL.flags << 2) | lineFlags, PARTIAL.flags << 2)
}

function emitPartial(state: usize, partial: usize): void {
  const start = <usize>load<u32>(partial, PARTIAL.text << 2)
  emit(
    state,
    start,
    start + <usize>load<u32>(partial, PARTIAL.length << 2),
    load<u32>(partial, PARTIAL.line << 2),
    load<i64>(partial, PARTIAL.time << 2),
    load<u32>(partial, PARTIAL.flags << 2),
  )
  store<u32>(partial, 0, PARTIAL.line << 2)
}
