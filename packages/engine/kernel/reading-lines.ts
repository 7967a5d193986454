// What the bytes of a line say without a time program: the twin of src/scan/reading/lines.ts and src/time/screen.ts.

import { LINE_BYTE, LONG_RUN, TRAIT } from './constants.generated'
import { isDigit, isSpace } from './reading-bytes'

/** LINE_BYTE bits of the line that was searched for its end. */
export let lineBytes: u32 = 0

/**
 * Sixteen times the backslash, and sixteen times the byte after the escape byte. They are loaded, because V8 makes a constant again in
 * each round of a loop.
 */
const BACKSLASHES: usize = memory.data(16, 16)
const CONTROLS: usize = memory.data(16, 16)
memory.fill(BACKSLASHES, 92, 16)
memory.fill(CONTROLS, 28, 16)

/**
 * The first line feed from `start` on, or `end`. Adds the bytes before it to `before`, which are those of the part of the line
 * that was searched earlier; the sum is in `lineBytes`. Reads 32 bytes at a time, so up to 31 bytes after `end`.
 */
@inline
export function findLineFeed(start: usize, end: usize, before: u32): usize {
  const backslash = v128.load(BACKSLASHES)
  const control = v128.load(CONTROLS)
  let backslashes = i8x16.splat(0)
  let noted = before
  let at = start
  while (true) {
    while (at + 32 <= end) {
      const low = v128.load(at)
      const high = v128.load(at, 16)
      // Line feeds and escape bytes; and bytes outside ASCII, because the comparison is signed.
      if (v128.any_true(v128.or(i8x16.lt_s(low, control), i8x16.lt_s(high, control)))) break
      backslashes = v128.or(backslashes, v128.or(i8x16.eq(low, backslash), i8x16.eq(high, backslash)))
      at += 32
    }
    const hits = maskOf(at, i8x16.splat(10))
    const length = min(hits == 0 ? 32 : <usize>ctz(hits), end - at)
    const inLine = <u32>((<u64>1 << length) - 1)
    if ((maskOf(at, backslash) & inLine) != 0) noted |= LINE_BYTE.backslash
    if ((maskOf(at, i8x16.splat(27)) & inLine) != 0) noted |= LINE_BYTE.escape
    at += length
    if (length < 32) break
  }
  if (v128.any_true(backslashes)) noted |= LINE_BYTE.backslash
  lineBytes = noted
  return at
}

/** Which of 32 bytes are this one: bit 0 is the first of them. */
@inline
function maskOf(at: usize, byte: v128): u32 {
  const low = i8x16.bitmask(i8x16.eq(v128.load(at), byte))
  return low | (i8x16.bitmask(i8x16.eq(v128.load(at, 16), byte)) << 16)
}

/** Notes the bytes of a line again, because a part of it was removed. */
export function noteLine(start: usize, end: usize): void {
  findLineFeed(start, end, 0)
}

export function markLength(start: usize, end: usize): usize {
  return start + 3 <= end && (load<u32>(start) & 0xffffff) == 0xbfbbef ? 3 : 0
}

@inline
export function isIndented(start: usize, end: usize): bool {
  return start < end && isSpace(load<u8>(start))
}

/** TRAIT bits of a line, 16 bytes at a time. */
export function traitsOf(start: usize, end: usize): u32 {
  let traits: u32 = 0
  /** The digits of the last 16 bytes are the lower half, so that runs across blocks are found. */
  let digits: u32 = 0
  let colons: u32 = 0
  for (let at = start; at < end; at += 16) {
    const bytes = v128.load(at)
    const inLine: u32 = end - at < 16 ? (1 << <u32>(end - at)) - 1 : 0xffff
    const isNumber = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10))
    digits = (digits >> 16) | ((i8x16.bitmask(isNumber) & inLine) << 16)
    colons = (colons >> 16) | ((i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(58))) & inLine) << 16)
    if ((colons & (digits << 1) & (digits >> 1)) != 0) traits |= TRAIT.clock
    let runs = digits
    for (let i = 1; i < LONG_RUN; i++) runs &= digits >> i
    if (runs != 0) traits |= TRAIT.digits
  }
  return traits
}

@inline
export function isObject(start: usize, end: usize): bool {
  if (start == end) return false
  const last = <u32>load<u8>(end - 1)
  return (last == 125 || last <= 32) && isObjectBetween(start, end)
}

function isObjectBetween(start: usize, end: usize): bool {
  let last = end - 1
  while (last >= start && (isSpace(load<u8>(last)) || load<u8>(last) == 13)) last--
  if (last < start || load<u8>(last) != 125) return false
  const at = skipSpaces(start, end)
  return opensObject(at, end) || opensObject(prefixEnd(at, end), end)
}

function opensObject(at: usize, end: usize): bool {
  if (at >= end || load<u8>(at) != 123) return false
  const next = skipSpaces(at + 1, end)
  return next < end && (load<u8>(next) == 34 || load<u8>(next) == 125)
}

const POD: u32 = 0x646f705b // [pod

function prefixEnd(start: usize, end: usize): usize {
  let at = start
  if (isDigit(load<u8>(start))) return end
  if (load<u8>(start) == 91) {
    if (load<u32>(start) != POD || load<u8>(start, 4) != 47) return end
    while (at < end && load<u8>(at) != 93 && !isSpace(load<u8>(at))) at++
    return at + 1 < end && load<u8>(at) == 93 && load<u8>(at, 1) == 32 ? skipSpaces(at + 1, end) : end
  }
  while (at < end && load<u8>(at) != 124 && !isSpace(load<u8>(at))) at++
  const bar = skipSpaces(at, end)
  return at > start && bar + 1 < end && load<u8>(bar) == 124 && load<u8>(bar, 1) == 32 ? skipSpaces(bar + 1, end) : end
}

@inline
function skipSpaces(start: usize, end: usize): usize {
  let at = start
  while (at < end && isSpace(load<u8>(at))) at++
  return at
}

const DATE: usize = memory.data<u8>([48, 48, 48, 48, 45, 48, 48, 45, 48, 48, 84, 48, 48, 58, 48, 48, 58, 48, 48])
const DATE_LENGTH: usize = 19
const OFFSET: usize = memory.data<u8>([48, 48, 58, 48, 48])

/** Whether the bytes from `start` to `end` are a time as RFC 3339 has it, with a `T`. */
export function isRfc3339(start: usize, end: usize): bool {
  if (end - start <= DATE_LENGTH || !isLike(start, DATE, DATE_LENGTH)) return false
  let at = start + DATE_LENGTH
  if (load<u8>(at) == 46) {
    const fraction = ++at
    while (at < end && isDigit(load<u8>(at))) at++
    if (at == fraction) return false
  }
  if (at + 1 == end) return load<u8>(at) == 90
  return at + 6 == end && (load<u8>(at) == 43 || load<u8>(at) == 45) && isLike(at + 1, OFFSET, 5)
}

/** Whether bytes are like a pattern, in which 0 stands for any digit. */
function isLike(at: usize, pattern: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) {
    const sign = <u32>load<u8>(pattern + i)
    if (sign == 48 ? !isDigit(load<u8>(at + i)) : <u32>load<u8>(at + i) != sign) return false
  }
  return true
}
