import {
  CONTEXT_FACTOR,
  FLAG_TRIGGER,
  HASH_FACTOR,
  NEEDLE_FLAGS,
  NEEDLE_LENGTH,
  PLAN_NEEDLE_COUNT,
  PLAN_STRIDE,
  PLAN_WINDOW,
} from './layout.js'

/** The memory during one call, and the plan that it works on. */
export interface Tables {
  readonly u8: Uint8Array
  readonly u32: Uint32Array
  /** A field of the plan. */
  read(field: number): number
  write(field: number, value: number): void
  /** A field of the record of a needle. */
  needle(index: number, field: number): number
  writeNeedle(index: number, field: number, value: number): void
}

/** Reads 4 bytes, wherever they stand. */
export function load32(u8: Uint8Array, at: number): number {
  return u8[at]! | (u8[at + 1]! << 8) | (u8[at + 2]! << 16) | (u8[at + 3]! << 24)
}

/** The hash of a fingerprint's key. */
export function hashOf(key: number): number {
  return Math.imul(key, HASH_FACTOR) >>> 0
}

/** The hash of a window together with the two bytes beside it. */
export function contextHash(hash: number, beside: number): number {
  return (hash + Math.imul(beside, CONTEXT_FACTOR)) >>> 0
}

/** Indexes of the triggers that are found by windows, or of those found by fingerprints. */
export function triggersOf(tables: Tables, windows: boolean): number[] {
  const stride = tables.read(PLAN_STRIDE)
  const triggers: number[] = []
  for (let index = 0; index < tables.read(PLAN_NEEDLE_COUNT); index++) {
    if ((tables.needle(index, NEEDLE_FLAGS) & FLAG_TRIGGER) === 0) continue
    const isLong = stride !== 0 && tables.needle(index, NEEDLE_LENGTH) >= stride + tables.read(PLAN_WINDOW) - 1
    if (isLong === windows) triggers.push(index)
  }
  return triggers
}

export const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a
