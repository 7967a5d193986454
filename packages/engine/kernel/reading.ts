// From bytes to entries: the twin of src/scan/reading/plain.ts and entries.ts, step by step. The block of numbers that it
// shares with the host is described in src/scan/reading/abi.ts.

import {
  decodeLog,
  dockerEndsLine,
  dockerLog,
  dockerStream,
  dockerTime,
  dockerTimeEnd,
  readDocker,
  streamAt,
} from './reading-docker'
import { foundEnd, foundTime, prepareTimes, runTime } from './reading-time'

const KIND_NONE: u32 = 0
const KIND_REST: u32 = 2
const KIND_CRI: u32 = 3
const KIND_DOCKER: u32 = 4

const WANTS_BYTES: u32 = 0
const WANTS_DELIVERY: u32 = 1
const WANTS_REVIEW: u32 = 2
const DELIVER_FIRST: u32 = 3

const LONGEST: usize = 1 << 20
const REVIEW_AFTER: u32 = 100
const DOCKER_PIECE: usize = 16384

// Byte offsets into the block.
const AT: usize = 0
const SEARCHED: usize = 4
const LIMIT: usize = 8
const LINE: usize = 12
const KIND: usize = 16
const PROGRAM: usize = 20
const FINAL: usize = 24
const SKIPPING: usize = 28
const COUNT: usize = 32
const CAPACITY: usize = 36
const STARTS: usize = 40
const ENDS: usize = 44
const LINES: usize = 48
const TIMES: usize = 52
const OPEN: usize = 56
const OPEN_START: usize = 60
const OPEN_END: usize = 64
const OPEN_LINE: usize = 68
const TIMELESS: usize = 72
const REVIEW_AT: usize = 76
const CUT_LINE: usize = 80
const HAS_TIME: usize = 84
const YEAR_LIMIT: usize = 88
const OPEN_TIME: usize = 96
const LAST_TIME: usize = 104
const CLOCK: usize = 112
const PARTIALS: usize = 120
const ZONES: usize = 168
const MEMO: usize = 176

const PARTIAL_TEXT: usize = 0
const PARTIAL_LENGTH: usize = 4
const PARTIAL_LINE: usize = 8
const PARTIAL_TIME: usize = 16
const PARTIAL_SIZE: usize = 24

/** Reads lines until something is wanted of the host. */
export function readLines(state: usize): u32 {
  const limit = <usize>load<u32>(state, LIMIT)
  const final = load<u32>(state, FINAL) == 1
  const capacity = load<u32>(state, CAPACITY)
  prepareTimes(load<u32>(state, PROGRAM), state + MEMO, load<u32>(state, ZONES), load<i64>(state, YEAR_LIMIT))
  store<u32>(state, 0, COUNT)
  while (true) {
    if (load<u32>(state, COUNT) == capacity) return WANTS_DELIVERY
    const start = <usize>load<u32>(state, AT)
    const lineFeed = findLineFeed(load<u32>(state, SEARCHED), limit)
    const isLine = lineFeed < limit
    const next = isLine ? lineFeed + 1 : limit
    if (load<u32>(state, SKIPPING) == 1) {
      passTo(state, next, isLine || final)
      if (!isLine && !final) return WANTS_BYTES
      store<u32>(state, 0, SKIPPING)
      continue
    }
    if (!isLine && next - start < LONGEST + 2) {
      store<u32>(state, <u32>next, SEARCHED)
      if (!final) return WANTS_BYTES
      if (next == start) return finishEntries(state)
    }
    const lineEnd = isLine && lineFeed > start && load<u8>(lineFeed - 1) == 13 ? lineFeed - 1 : lineFeed
    const end = min(lineEnd, start + LONGEST)
    if (end < lineEnd) noteCut(state)
    const wants = takeLine(state, start, end)
    if (wants == DELIVER_FIRST) return WANTS_DELIVERY
    passTo(state, next, isLine || final)
    if (!isLine && !final) store<u32>(state, 1, SKIPPING)
    if (wants != WANTS_BYTES) return wants
  }
}

/** The first line feed from `start` on, or `end`. Thirty-two bytes at a time, also across the end. */
@inline
function findLineFeed(start: usize, end: usize): usize {
  const lineFeeds = i8x16.splat(10)
  for (let at = start; at < end; at += 32) {
    const low = i8x16.bitmask(i8x16.eq(v128.load(at), lineFeeds))
    const high = i8x16.bitmask(i8x16.eq(v128.load(at, 16), lineFeeds))
    const hits = low | (high << 16)
    if (hits != 0) return min(at + ctz(hits), end)
  }
  return end
}

@inline
function passTo(state: usize, next: usize, isLine: bool): void {
  store<u32>(state, <u32>next, AT)
  store<u32>(state, <u32>next, SEARCHED)
  if (isLine) store<u32>(state, load<u32>(state, LINE) + 1, LINE)
}

function finishEntries(state: usize): u32 {
  emitOpen(state)
  const first = state + PARTIALS
  const second = first + PARTIAL_SIZE
  const a = load<u32>(first, PARTIAL_LINE)
  const b = load<u32>(second, PARTIAL_LINE)
  if (a == 0 && b == 0) return WANTS_BYTES
  if (load<u32>(state, COUNT) == 0) emitPartial(state, b == 0 || (a != 0 && a < b) ? first : second)
  return WANTS_DELIVERY
}

@inline
function emit(state: usize, start: usize, end: usize, line: u32, time: i64): void {
  const index = <usize>load<u32>(state, COUNT)
  store<u32>(state, <u32>index + 1, COUNT)
  store<u32>(<usize>load<u32>(state, STARTS) + (index << 2), <u32>start)
  store<u32>(<usize>load<u32>(state, ENDS) + (index << 2), <u32>end)
  store<u32>(<usize>load<u32>(state, LINES) + (index << 2), line)
  store<i64>(<usize>load<u32>(state, TIMES) + (index << 3), time)
}

@inline
function emitOpen(state: usize): void {
  if (load<u32>(state, OPEN) == 0) return
  store<u32>(state, 0, OPEN)
  emit(
    state,
    load<u32>(state, OPEN_START),
    load<u32>(state, OPEN_END),
    load<u32>(state, OPEN_LINE),
    load<i64>(state, OPEN_TIME),
  )
}

function noteCut(state: usize): void {
  if (load<u32>(state, CUT_LINE) == 0) store<u32>(state, load<u32>(state, LINE), CUT_LINE)
}

@inline
function takeLine(state: usize, lineStart: usize, end: usize): u32 {
  const start = load<u32>(state, LINE) == 1 ? lineStart + markLength(lineStart, end) : lineStart
  const kind = load<u32>(state, KIND)
  if (kind == KIND_NONE) {
    emit(state, start, end, load<u32>(state, LINE), load<i64>(state, CLOCK))
    return WANTS_BYTES
  }
  if (kind == KIND_CRI) return takeCri(state, start, end)
  if (kind == KIND_DOCKER) return takeDocker(state, start, end)
  return takeTimed(state, kind, start, end)
}

function markLength(start: usize, end: usize): usize {
  return start + 3 <= end && (load<u32>(start) & 0xffffff) == 0xbfbbef ? 3 : 0
}

@inline
function takeTimed(state: usize, kind: u32, start: usize, end: usize): u32 {
  if (!runTime(load<u32>(state, PROGRAM), start, end)) {
    if (load<u32>(state, OPEN) == 0) return openFollower(state, start, end)
    addToOpen(state, start, end)
    return missed(state)
  }
  emitOpen(state)
  met(state)
  const isRest = kind == KIND_REST && foundEnd < end && load<u8>(foundEnd) == 32
  openEntry(state, isRest ? foundEnd + 1 : start, end, foundTime)
  return WANTS_BYTES
}

@inline
function openEntry(state: usize, start: usize, end: usize, time: i64): void {
  store<u32>(state, 1, OPEN)
  store<u32>(state, <u32>start, OPEN_START)
  store<u32>(state, <u32>end, OPEN_END)
  store<u32>(state, load<u32>(state, LINE), OPEN_LINE)
  store<i64>(state, time, OPEN_TIME)
}

/** A line without a time when no entry is open: it follows one that was delivered early, or is ahead of all times. */
function openFollower(state: usize, start: usize, end: usize): u32 {
  if (load<u32>(state, HAS_TIME) == 1) openEntry(state, start, end, load<i64>(state, LAST_TIME))
  return WANTS_BYTES
}

@inline
function met(state: usize): void {
  store<u32>(state, 0, TIMELESS)
  store<u32>(state, REVIEW_AFTER, REVIEW_AT)
}

function missed(state: usize): u32 {
  const timeless = load<u32>(state, TIMELESS) + 1
  store<u32>(state, timeless, TIMELESS)
  return timeless == load<u32>(state, REVIEW_AT) ? WANTS_REVIEW : WANTS_BYTES
}

function addToOpen(state: usize, start: usize, end: usize): void {
  const textEnd = <usize>load<u32>(state, OPEN_END)
  const room = LONGEST - (textEnd - <usize>load<u32>(state, OPEN_START))
  if (end - start + 1 > room) noteCut(state)
  if (room == 0) return
  const take = min(room - 1, end - start)
  store<u8>(textEnd, 10)
  if (textEnd + 1 != start) memory.copy(textEnd + 1, start, take)
  store<u32>(state, <u32>(textEnd + 1 + take), OPEN_END)
}

function takeForeign(state: usize, start: usize, end: usize): u32 {
  if (load<u32>(state, HAS_TIME) == 0) return WANTS_BYTES
  emit(state, start, end, load<u32>(state, LINE), load<i64>(state, LAST_TIME))
  return missed(state)
}

function takeCri(state: usize, start: usize, end: usize): u32 {
  if (!runTime(load<u32>(state, PROGRAM), start, end)) return takeForeign(state, start, end)
  const at = foundEnd
  if (at + 9 > end || load<u8>(at) != 32 || load<u8>(at, 7) != 32) return takeForeign(state, start, end)
  const stream = streamAt(at + 1)
  const tag = <u32>load<u8>(at, 8)
  if (stream < 0 || (tag != 70 && tag != 80)) return takeForeign(state, start, end)
  let next = at + 9
  if (next < end && load<u8>(next) == 58) while (next < end && load<u8>(next) != 32) next++
  if (next < end && load<u8>(next) != 32) return takeForeign(state, start, end)
  const partial = state + PARTIALS + PARTIAL_SIZE * <usize>stream
  const hasPieces = load<u32>(partial, PARTIAL_LINE) != 0
  if (hasPieces && load<u32>(state, COUNT) > 0) return DELIVER_FIRST
  return takePiece(state, partial, hasPieces, tag == 80, min(next + 1, end), end)
}

function takeDocker(state: usize, start: usize, end: usize): u32 {
  const fits = readDocker(start, end) && runTime(load<u32>(state, PROGRAM), dockerTime, dockerTimeEnd)
  if (!fits || foundEnd != dockerTimeEnd) return takeForeign(state, start, end)
  const partial = state + PARTIALS + PARTIAL_SIZE * <usize>dockerStream
  const hasPieces = load<u32>(partial, PARTIAL_LINE) != 0
  if (hasPieces && load<u32>(state, COUNT) > 0) return DELIVER_FIRST
  const text = dockerLog
  let textEnd = decodeLog()
  if (dockerEndsLine && textEnd > text && load<u8>(textEnd - 1) == 13) textEnd--
  return takePiece(state, partial, hasPieces, !dockerEndsLine && textEnd - text >= DOCKER_PIECE, text, textEnd)
}

@inline
function takePiece(state: usize, partial: usize, hasPieces: bool, goesOn: bool, start: usize, end: usize): u32 {
  met(state)
  if (!hasPieces) {
    store<u32>(state, 1, HAS_TIME)
    store<i64>(state, foundTime, LAST_TIME)
  }
  if (!hasPieces && !goesOn) {
    emit(state, start, end, load<u32>(state, LINE), foundTime)
    return WANTS_BYTES
  }
  addToPartial(state, partial, start, end)
  if (goesOn) return WANTS_BYTES
  emitPartial(state, partial)
  return WANTS_DELIVERY
}

function addToPartial(state: usize, partial: usize, start: usize, end: usize): void {
  if (load<u32>(partial, PARTIAL_LINE) == 0) {
    store<u32>(partial, load<u32>(state, LINE), PARTIAL_LINE)
    store<u32>(partial, 0, PARTIAL_LENGTH)
    store<i64>(partial, foundTime, PARTIAL_TIME)
  }
  const length = <usize>load<u32>(partial, PARTIAL_LENGTH)
  const take = min(LONGEST - length, end - start)
  if (take < end - start) noteCut(state)
  memory.copy(<usize>load<u32>(partial, PARTIAL_TEXT) + length, start, take)
  store<u32>(partial, <u32>(length + take), PARTIAL_LENGTH)
}

function emitPartial(state: usize, partial: usize): void {
  const start = <usize>load<u32>(partial, PARTIAL_TEXT)
  emit(
    state,
    start,
    start + <usize>load<u32>(partial, PARTIAL_LENGTH),
    load<u32>(partial, PARTIAL_LINE),
    load<i64>(partial, PARTIAL_TIME),
  )
  store<u32>(partial, 0, PARTIAL_LINE)
}
