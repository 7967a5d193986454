import type { EnvelopeFunctions } from '../kernel/kernel.js'
import type { KernelMemory } from '../kernel/memory.js'
import { decodeString } from '../reading/containers.js'
import { removeEscapes } from '../reading/escapes.js'

const QUOTE = 34
const BACKSLASH = 92

/** The TypeScript twin of the kernel's functions for envelopes: the oracle in tests, and the fallback without SIMD. */
export function plainEnvelopes(memory: KernelMemory): EnvelopeFunctions {
  return {
    decodeStrings(start, end, depth, to, starts, ends) {
      const { u8, u32 } = memory
      let from = start
      let limit = end
      let at = to
      for (let count = 0; count < depth; count++) {
        if (count > 0 && findBackslash(u8, from, limit) === limit) return count
        const next = decodeOnce(u8, from, limit, at)
        u32[(starts >>> 2) + count] = at
        u32[(ends >>> 2) + count] = next
        from = at
        limit = next
        at = next
      }
      return depth
    },
  }
}

/** Decodes strings once, and removes the escape sequences of terminals from each of them; returns the end of the result. */
function decodeOnce(bytes: Uint8Array, start: number, end: number, to: number): number {
  let from = start
  let out = to
  for (;;) {
    const backslash = findBackslash(bytes, from, end)
    bytes.copyWithin(out, from, backslash)
    out += backslash - from
    if (backslash === end) return out
    const quote = findQuote(bytes, backslash, end)
    bytes.copyWithin(out, backslash, quote)
    out = removeEscapes(bytes, out, decodeString(bytes, out, out + quote - backslash))
    from = quote
  }
}

function findBackslash(bytes: Uint8Array, start: number, end: number): number {
  const at = bytes.subarray(start, end).indexOf(BACKSLASH)
  return at < 0 ? end : start + at
}

/** The first quote from `start` on that is not after a backslash, or `end`. */
function findQuote(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] === QUOTE) return at
    if (bytes[at] === BACKSLASH) at++
  }
  return end
}
