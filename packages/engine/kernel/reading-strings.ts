// Decodes JSON strings: the twin of `decodeString` in src/scan/reading/containers.ts.

const BACKSLASH: u32 = 92

/** Whether the string of the last `decodeString` has a backslash, or an escape byte, after decoding. */
export let decodedBackslash: bool = false
export let decodedEscape: bool = false

/** Decodes a string in place; returns its new end. */
export function decodeString(start: usize, end: usize): usize {
  decodedBackslash = false
  decodedEscape = false
  let from = start
  let to = start
  while (from < end) {
    const bytes = v128.load(from)
    const hits = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(92)))
    if (hits == 0 && from + 16 <= end) {
      // Overwritten bytes were already read: `to` is never after `from`.
      if (to != from) v128.store(to, bytes)
      from += 16
      to += 16
      continue
    }
    const run = min(hits == 0 ? 16 : ctz(hits), end - from)
    if (to != from) copyRun(to, from, run)
    from += run
    to += run
    if (from < end) {
      to = decodeEscape(from, to, end)
      from = escapeEnd
    }
  }
  return to
}

/** The end of the last escape. */
let escapeEnd: usize = 0

/** Decodes the escape at `from` to `to`; returns the end of the decoded bytes. */
function decodeEscape(from: usize, to: usize, end: usize): usize {
  const next = from + 1 < end ? <u32>load<u8>(from, 1) : 0
  const meaning = escapeOf(next)
  if (meaning != 0) {
    if (meaning == BACKSLASH) decodedBackslash = true
    store<u8>(to, <u8>meaning)
    escapeEnd = from + 2
    return to + 1
  }
  const code = next == 117 ? hexAt(from + 2, end) : -1
  if (code < 0) {
    decodedBackslash = true
    store<u8>(to, <u8>BACKSLASH)
    escapeEnd = from + 1
    return to + 1
  }
  if (code == BACKSLASH) decodedBackslash = true
  if (code == 27) decodedEscape = true
  const isHigh = code >= 0xd800 && code < 0xdc00
  const low = isHigh && load<u8>(from, 6) == BACKSLASH && load<u8>(from, 7) == 117 ? hexAt(from + 8, end) : -1
  const isPair = low >= 0xdc00 && low < 0xe000
  escapeEnd = from + (isPair ? 12 : 6)
  return writeCharacter(to, isPair ? 0x10000 + ((code - 0xd800) << 10) + low - 0xdc00 : code)
}

/**
 * Copies exactly `length` bytes, at most 16, to a lower address: as two words that may overlap, both read before either is
 * written.
 */
@inline
function copyRun(to: usize, from: usize, length: usize): void {
  if (length >= 8) {
    const first = load<u64>(from)
    const last = load<u64>(from + length - 8)
    store<u64>(to, first)
    store<u64>(to + length - 8, last)
  } else if (length >= 4) {
    const first = load<u32>(from)
    const last = load<u32>(from + length - 4)
    store<u32>(to, first)
    store<u32>(to + length - 4, last)
  } else for (let i: usize = 0; i < length; i++) store<u8>(to + i, load<u8>(from + i))
}

function escapeOf(letter: u32): u32 {
  switch (letter) {
    case 110:
      return 10
    case 34:
    case 92:
    case 47:
      return letter
    case 114:
      return 13
    case 116:
      return 9
    case 98:
      return 8
    case 102:
      return 12
    default:
      return 0
  }
}

function hexAt(at: usize, end: usize): i32 {
  if (at + 4 > end) return -1
  let value = 0
  for (let i = at; i < at + 4; i++) {
    const byte = <u32>load<u8>(i)
    const lower = byte | 32
    let digit: u32
    if (byte - 48 < 10) digit = byte - 48
    else if (lower - 97 < 6) digit = lower - 87
    else return -1
    value = value * 16 + <i32>digit
  }
  return value
}

function writeCharacter(at: usize, code: i32): usize {
  const character = code >= 0xd800 && code < 0xe000 ? 0xfffd : code
  if (character < 0x80) {
    store<u8>(at, <u8>character)
    return at + 1
  }
  if (character < 0x800) {
    store<u8>(at, <u8>(0xc0 | (character >> 6)))
    store<u8>(at, <u8>(0x80 | (character & 63)), 1)
    return at + 2
  }
  if (character < 0x10000) {
    store<u8>(at, <u8>(0xe0 | (character >> 12)))
    store<u8>(at, <u8>(0x80 | ((character >> 6) & 63)), 1)
    store<u8>(at, <u8>(0x80 | (character & 63)), 2)
    return at + 3
  }
  store<u8>(at, <u8>(0xf0 | (character >> 18)))
  store<u8>(at, <u8>(0x80 | ((character >> 12) & 63)), 1)
  store<u8>(at, <u8>(0x80 | ((character >> 6) & 63)), 2)
  store<u8>(at, <u8>(0x80 | (character & 63)), 3)
  return at + 4
}

// Strings whose only escapes are `\"`, with `\n` at the end: nearly everything that Docker writes. They are checked and
// decoded 16 bytes at a time without a branch per escape, because JSON inside JSON has many of them.

const LINE_FEED: u32 = 0x6e5c // \n

/** Whether the string of the last `quotedEnd` contains quotes. */
export let hasQuotes: bool = false

/**
 * The end of the text of a string, without an escaped line feed at the end. 0 if a quote before `close` ends the string, or
 * if it has other escapes.
 */
@inline
export function quotedEnd(start: usize, close: usize): usize {
  const isLine = close >= start + 2 && <u32>load<u16>(close - 2) == LINE_FEED
  const end = isLine ? close - 2 : close
  let wrong = i8x16.splat(0)
  let quotes = i8x16.splat(0)
  let at = start
  for (; at + 16 <= end; at += 16) {
    const found = quotesAt(at)
    quotes = v128.or(quotes, found)
    wrong = v128.or(wrong, v128.xor(found, escapedAt(at)))
  }
  const rest = (1 << <u32>(end - at)) - 1
  const found = quotesAt(at)
  const wrongRest = i8x16.bitmask(v128.xor(found, escapedAt(at))) & rest
  if (v128.any_true(wrong) || wrongRest != 0 || <u32>load<u8>(end - 1) == BACKSLASH) return 0
  hasQuotes = v128.any_true(quotes) || (i8x16.bitmask(found) & rest) != 0
  return end
}

@inline
function quotesAt(at: usize): v128 {
  return i8x16.eq(v128.load(at), i8x16.splat(34))
}

/** The bytes that follow a backslash. */
@inline
function escapedAt(at: usize): v128 {
  return i8x16.eq(v128.load(at - 1), i8x16.splat(92))
}

/** For each set of removed bytes among eight, the offsets of the remaining ones. */
const KEPT: usize = memory.data(2048, 16)
for (let removed: u32 = 0; removed < 256; removed++) {
  let to = KEPT + (<usize>removed << 3)
  for (let offset: u32 = 0; offset < 8; offset++) if (((removed >> offset) & 1) == 0) store<u8>(to++, <u8>offset)
}

/**
 * Removes the backslashes of a text in place; returns its new end. Up to 15 bytes after the text are overwritten. All other
 * overwritten bytes were already read, because no byte moves to a higher address.
 */
export function dropBackslashes(start: usize, end: usize): usize {
  let to = start
  for (let from = start; from < end; from += 16) {
    const bytes = v128.load(from)
    const removed = <u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(92)))
    const low = removed & 0xff
    const high = removed >> 8
    const first = i8x16.swizzle(bytes, v128.load64_zero(KEPT + (<usize>low << 3)))
    const second = i8x16.swizzle(bytes, i8x16.add(v128.load64_zero(KEPT + (<usize>high << 3)), i8x16.splat(8)))
    store<u64>(to, i64x2.extract_lane(first, 0))
    to += 8 - popcnt(low)
    store<u64>(to, i64x2.extract_lane(second, 0))
    to += 8 - popcnt(high)
    if (from + 16 > end) to += popcnt(removed >> <u32>(end - from)) - (from + 16 - end)
  }
  return to
}
