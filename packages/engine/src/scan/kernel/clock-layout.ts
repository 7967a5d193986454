// The numbers that the kernel's clock (kernel/clock.ts) and its TypeScript twin (scan/clock.ts) share.
// scripts/build-kernel.mjs writes kernel/constants.generated.ts from the exports of this file, so it exports only numbers
// and objects of numbers.

/** The state block of a clock, in bytes. All values but the counts are signed 64-bit nanoseconds. */
export const CLOCK = {
  /** The highest timestamp so far. */
  now: 0,
  /** Entries before `since` and after `until` are ignored. */
  since: 8,
  until: 16,
  /** An entry that is more than this before the clock, or before `floor`, is late. */
  window: 24,
  floor: 32,
  /** About the entries of the last call that are not ignored: the smallest and the largest timestamp; */
  first: 40,
  last: 48,
  /** the most that a late one is before the clock; */
  lateBy: 56,
  /** how many there are, how many of them are late, and how many are before the clock but not late. Unsigned, 32 bits. */
  inRange: 64,
  late: 68,
  stragglers: 72,
  size: 80,
} as const
