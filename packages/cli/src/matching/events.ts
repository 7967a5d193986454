import type { Detection } from '@omen/engine'

/** How much was read. */
export interface Amount {
  /** Decompressed bytes. */
  readonly bytes: number
  readonly lines: number
}

/** Receives what a scan reports while it runs. Sources are identified by their index. */
export interface ScanEvents {
  /** The entries of the hits are valid until this returns. */
  found(source: number, detections: readonly Detection[]): void
  /** `taken` is the number of bytes read from disk, compressed or not. */
  advanced(source: number, taken: number, lines: number): void
  finished(source: number, amount: Amount): void
  /** Some of the source could not be read. */
  problem(source: number, message: string): void
  warn(source: number, message: string): void
}

/** What is the same for all sources of a scan: plain data that can be sent to another thread. */
export interface ScanSettings {
  readonly now: Date
  readonly timestamps: readonly { readonly pattern: string; readonly format: string }[]
  readonly skip: number
  readonly since: bigint | undefined
  readonly until: bigint | undefined
}
