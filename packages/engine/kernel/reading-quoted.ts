// Strings whose only escapes are those of quotes, with a line feed at the end: nearly all that Docker writes. They are
// checked and decoded sixteen bytes at a time without a branch for each escape, of which JSON inside JSON has many.

const QUOTE: i8 = 34
const BACKSLASH: i8 = 92
const LINE_FEED: u32 = 0x6e5c // \n

/** Whether the last string that was checked has quotes inside. */
export let hasQuotes: bool = false

/**
 * Where the text of a string ends, without the escaped line feed behind it, or 0: when a quote before `close` closes it
 * already, or it has other escapes.
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
  if (v128.any_true(wrong) || wrongRest != 0 || load<i8>(end - 1) == BACKSLASH) return 0
  hasQuotes = v128.any_true(quotes) || (i8x16.bitmask(found) & rest) != 0
  return end
}

@inline
function quotesAt(at: usize): v128 {
  return i8x16.eq(v128.load(at), i8x16.splat(QUOTE))
}

/** Which bytes follow a backslash. */
@inline
function escapedAt(at: usize): v128 {
  return i8x16.eq(v128.load(at - 1), i8x16.splat(BACKSLASH))
}

/** For each set of eight bytes that go, the places of those that stay, one behind the other. */
const KEPT: usize = memory.data(2048, 16)
for (let gone: u32 = 0; gone < 256; gone++) {
  let to = KEPT + (<usize>gone << 3)
  for (let place: u32 = 0; place < 8; place++) if (((gone >> place) & 1) == 0) store<u8>(to++, <u8>place)
}

/**
 * Takes the backslashes out of a text where it stands; returns where it now ends. Up to fifteen bytes behind the text are
 * overwritten. What is overwritten before them has been read: no byte moves back.
 */
export function dropBackslashes(start: usize, end: usize): usize {
  let to = start
  for (let from = start; from < end; from += 16) {
    const bytes = v128.load(from)
    const gone = <u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(BACKSLASH)))
    const low = gone & 0xff
    const high = gone >> 8
    const first = i8x16.swizzle(bytes, v128.load64_zero(KEPT + (<usize>low << 3)))
    const second = i8x16.swizzle(bytes, i8x16.add(v128.load64_zero(KEPT + (<usize>high << 3)), i8x16.splat(8)))
    store<u64>(to, i64x2.extract_lane(first, 0))
    to += 8 - popcnt(low)
    store<u64>(to, i64x2.extract_lane(second, 0))
    to += 8 - popcnt(high)
    if (from + 16 > end) to += popcnt(gone >> <u32>(end - from)) - (from + 16 - end)
  }
  return to
}
