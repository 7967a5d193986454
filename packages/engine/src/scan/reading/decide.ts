import type { CustomTimestamp } from './custom.js'
import { type Decision, detectFormat, type Lines } from './detect.js'
import { customFormat } from './format.js'

/** What the configuration says about timestamps. */
export interface ConfiguredTimestamps {
  /** The source's own: it goes before everything else. */
  readonly timestamp?: CustomTimestamp
  /** Tried before the built-in formats. */
  readonly timestamps?: readonly { readonly pattern: string; readonly format: string }[]
}

/** Decides the format of lines. */
export interface Decider {
  decide(lines: Lines): Decision | undefined
  /** Whether no other format would go before this one if it came with a later line. */
  isFirstChoice(decision: Decision): boolean
}

/** Compiles the configured timestamps; one that cannot be used throws. They are tried before the built-in formats. */
export function createDecider({ timestamp, timestamps = [] }: ConfiguredTimestamps, limit: number): Decider {
  const own = timestamp ? [customFormat(timestamp)] : []
  const configured = timestamps.map(({ pattern, format }) => customFormat({ regex: pattern, format }))
  const choices = [own, configured].filter((formats) => formats.length > 0)
  return {
    decide(lines) {
      for (const formats of choices) {
        const decision = detectFormat(lines, limit, formats)
        if (decision) return decision
      }
      return detectFormat(lines, limit)
    },
    isFirstChoice: ({ format }) => choices.length === 0 || choices[0].includes(format),
  }
}
