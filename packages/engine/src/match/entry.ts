/** One log entry: a line, or several folded into one. */
export interface Entry {
  /** Nanoseconds since 1970. */
  readonly timestamp: bigint
  /** Decoded when it is first asked for; an entry that is kept in rule state must be asked before it is kept. */
  readonly text: string
  /** Number of its first line in the data, from 1. */
  readonly line: number
}
