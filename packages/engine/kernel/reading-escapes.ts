// Decodes the strings of JSON: the twin of `decodeString` in src/scan/reading/docker.ts.

const BACKSLASH: u32 = 92

/** Decodes a string where it stands; returns where it now ends. */
export function decodeString(start: usize, end: usize): usize {
  let from = start
  let to = start
  while (from < end) {
    const bytes = v128.load(from)
    const hits = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(92)))
    if (hits == 0 && from + 16 <= end) {
      // What is overwritten has been read: `to` is never ahead of `from`.
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

/** Where the last escape ends. */
let escapeEnd: usize = 0

/** Decodes the escape at `from`, writes what it means to `to` and returns where that ends. */
function decodeEscape(from: usize, to: usize, end: usize): usize {
  const next = from + 1 < end ? <u32>load<u8>(from, 1) : 0
  const meaning = escapeOf(next)
  if (meaning != 0) {
    store<u8>(to, <u8>meaning)
    escapeEnd = from + 2
    return to + 1
  }
  const code = next == 117 ? hexAt(from + 2, end) : -1
  if (code < 0) {
    store<u8>(to, <u8>BACKSLASH)
    escapeEnd = from + 1
    return to + 1
  }
  const isHigh = code >= 0xd800 && code < 0xdc00
  const low = isHigh && load<u8>(from, 6) == BACKSLASH && load<u8>(from, 7) == 117 ? hexAt(from + 8, end) : -1
  const isPair = low >= 0xdc00 && low < 0xe000
  escapeEnd = from + (isPair ? 12 : 6)
  return writeCharacter(to, isPair ? 0x10000 + ((code - 0xd800) << 10) + low - 0xdc00 : code)
}

/**
 * Copies up to sixteen bytes to a lower address, and not one more: as two words that may overlap, both read before either is
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
