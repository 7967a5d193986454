// Decodes the JSON strings in a text: the twin of src/scan/envelopes/plain.ts.

import { removeEscapes } from './reading-escapes'
import { decodeString } from './reading-strings'

const QUOTE: u32 = 34

/**
 * Writes a text with every JSON string in it decoded, then that text with every JSON string decoded again, and so on, up to
 * `depth` times or until there is no backslash. The first one starts at `to`, each has at most the length of the text. Stores
 * the addresses of their starts and ends in two arrays, and returns their number.
 */
export function decodeStrings(start: usize, end: usize, depth: u32, to: usize, starts: usize, ends: usize): u32 {
  let from = start
  let limit = end
  let at = to
  for (let count: u32 = 0; count < depth; count++) {
    if (count > 0 && findBackslash(from, limit) == limit) return count
    const next = decodeOnce(from, limit, at)
    store<u32>(starts + (<usize>count << 2), <u32>at)
    store<u32>(ends + (<usize>count << 2), <u32>next)
    from = at
    limit = next
    at = next
  }
  return depth
}

/** Decodes strings once, and removes the escape sequences of terminals from each of them; returns the end of the result. */
function decodeOnce(start: usize, end: usize, to: usize): usize {
  let from = start
  let out = to
  while (true) {
    const backslash = findBackslash(from, end)
    memory.copy(out, from, backslash - from)
    out += backslash - from
    if (backslash == end) return out
    const quote = findQuote(backslash, end)
    memory.copy(out, backslash, quote - backslash)
    out = removeEscapes(out, decodeString(out, out + (quote - backslash)))
    from = quote
  }
}

function findBackslash(start: usize, end: usize): usize {
  for (let at = start; at < end; at += 16) {
    const hits = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(92)))
    if (hits != 0) return min(at + ctz(hits), end)
  }
  return end
}

/** The first quote from `start` on that is not after a backslash, or `end`. Searches 16 bytes at a time. */
function findQuote(start: usize, end: usize): usize {
  for (let block = start; block < end; ) {
    const bytes = v128.load(block)
    let hits = i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(34)), i8x16.eq(bytes, i8x16.splat(92))))
    let next = block + 16
    while (hits != 0) {
      const offset = ctz(hits)
      if (block + offset >= end) return end
      if (load<u8>(block + offset) == QUOTE) return block + offset
      // A byte after a backslash is escaped, even if it is in the next block.
      hits &= ~(3 << offset)
      if (offset == 15) next++
    }
    block = next
  }
  return end
}
