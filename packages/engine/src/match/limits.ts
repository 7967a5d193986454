/** How much a rule may hold for one condition. Past either the oldest goes. */
export interface Limits {
  /** Entries, or timestamps of a negate condition. */
  readonly entries: number
  /** Characters of all its entries together. */
  readonly characters: number
}

/** What a rule holds too much of. */
export type Overflow = keyof Limits

/** 100,000 is the rule language's own bound; 64 Mi characters keep entries of a megabyte each from filling the memory. */
export const DEFAULT_LIMITS: Limits = { entries: 100_000, characters: 64 * 1024 * 1024 }
