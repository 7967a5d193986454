import type { Detection } from '@omen/engine'

/** How much was read. */
export interface Amount {
  /** Bytes of text, unpacked where they were compressed. */
  readonly bytes: number
  readonly lines: number
}

/** What a scan tells while it runs. Sources are named by their index. */
export interface ScanEvents {
  /** The entries of the hits can be read until this returns. */
  found(source: number, detections: readonly Detection[]): void
  /** So many bytes of the files have been taken, as they lie on disk; and so many lines read. */
  advanced(source: number, taken: number, lines: number): void
  finished(source: number, amount: Amount): void
  /** Some of the source could not be read. */
  problem(source: number, message: string): void
  warn(source: number, message: string): void
}

/** What is the same for all sources of a scan: plain data that can be handed to another thread. */
export interface ScanSettings {
  readonly now: Date
  readonly timestamps: readonly { readonly pattern: string; readonly format: string }[]
  readonly skip: number
  readonly since: bigint | undefined
  readonly until: bigint | undefined
}
