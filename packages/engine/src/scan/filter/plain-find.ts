import type { KernelMemory } from '../kernel/memory.js'
import { FLAG_FOLD, NEEDLE_BYTES, NEEDLE_FLAGS, NEEDLE_LENGTH } from './layout.js'

/** Twin of the kernel's `filterFind`. */
export function find({ u8, u32 }: KernelMemory, needle: number, from: number, to: number): number {
  const last = to - u32[(needle + NEEDLE_LENGTH) >>> 2]!
  for (let at = from; at <= last; at++) if (equals(u8, u32, needle, at)) return at
  return -1
}

/** Whether the needle with this record stands at an address. */
export function equals(u8: Uint8Array, u32: Uint32Array, needle: number, at: number): boolean {
  const bytes = u32[(needle + NEEDLE_BYTES) >>> 2]!
  const length = u32[(needle + NEEDLE_LENGTH) >>> 2]!
  const fold = (u32[(needle + NEEDLE_FLAGS) >>> 2]! & FLAG_FOLD) !== 0
  for (let index = 0; index < length; index++) {
    const byte = u8[at + index]!
    if ((fold && byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== u8[bytes + index]) return false
  }
  return true
}
