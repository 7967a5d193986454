import type { Detection, Progress, WarningSubject } from '@omen/engine'

/** How much was read of a source, and what it was: plain data that can be sent to another thread. */
export interface Amount {
  /** Decompressed bytes. */
  readonly bytes: number
  readonly lines: number
  readonly entries: number
  /** Entries between --since and --until; all without these limits. */
  readonly inRange: number
  /** Lines without a timestamp, which belong to the entry before them. */
  readonly folded: number
  /** Entries that came too late to be put in order. */
  readonly late: number
  /** The names of the formats of timestamps. */
  readonly formats: readonly string[]
  /** The smallest and the largest timestamp. */
  readonly first: bigint | undefined
  readonly last: bigint | undefined
  /** How many of its files are binary, so that nothing of them was read. */
  readonly binaries: number
}

/** What a detector has read. */
export function amountOf(progress: Progress): Amount {
  return { ...progress, binaries: 0 }
}

/** Receives what a scan reports while it runs. Sources are identified by their index. */
export interface ScanEvents {
  /** A source is about to be read. `preview` returns what would be found if it ended before the first entry is complete. */
  started?(source: number, preview: () => readonly Detection[]): void
  /** The entries of the hits are valid until this returns. */
  found(source: number, detections: readonly Detection[]): void
  /** `taken` is the number of bytes read from disk, compressed or not. */
  advanced(source: number, taken: number, lines: number): void
  finished(source: number, amount: Amount): void
  /** Some of the source could not be read. */
  problem(source: number, message: string): void
  warn(source: number, message: string, subject?: WarningSubject): void
}

/** What is the same for all sources of a scan: plain data that can be sent to another thread. */
export interface ScanSettings {
  readonly now: Date
  readonly timestamps: readonly { readonly pattern: string; readonly format: string }[]
  readonly skip: number
  readonly since: bigint | undefined
  readonly until: bigint | undefined
}
