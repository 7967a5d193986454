import type { FoundTime } from '../../time/finish.js'
import { RANK } from '../../time/formats.js'
import type { WallClock } from '../../time/wall-clock.js'
import { builtInFormats, type CustomTimestamp, customFormat, type LineFormat } from './format.js'

/** Lines to decide the format on: where each starts and ends in `bytes`. None is empty. */
export interface Lines {
  readonly bytes: Uint8Array
  readonly starts: number[]
  readonly ends: number[]
}

/** A format and how many lines it explains. */
export interface Decision {
  readonly format: LineFormat
  /** How many of the lines have a time in this format. */
  readonly explained: number
}

interface Candidate extends Decision {
  /** Sum of the offsets of the times in their lines. */
  readonly depth: number
}

/** A format of higher rank is preferred if it explains at least this share of what the best format does. */
const NEARLY = 1 / 2

/**
 * The share of the lines that a format must explain. A line that begins with a date starts an entry, however long the stack
 * trace after it is; a date somewhere in a line, or a number that could be a time, may be something else.
 */
function leastPart(rank: number): number {
  if (rank >= RANK.start) return 0
  return rank === RANK.weak ? 1 / 3 : 1 / 10
}

/**
 * Decides the format of a log on its first lines. Among the formats that explain nearly as many lines as the best one, it
 * prefers the higher rank, then more lines, then times further left, then the order of the table.
 *
 * @example
 * detectFormat({ bytes, starts: [0, 38], ends: [37, 75] }, utcClock(yearLimit(now)))?.format.format.name // 'rfc3339'
 */
export function detectFormat(
  lines: Lines,
  clock: WallClock,
  formats: readonly LineFormat[] = builtInFormats(),
): Decision | undefined {
  const candidates: Candidate[] = []
  const all = lines.starts.length
  if (all === 0) return undefined
  const hasKey = keySearch(lines)
  let settled = 0
  for (const format of formats) {
    // Only a format of the same rank with times further left is better than one that explains every line.
    if (format.rank < settled) break
    if (format.key !== undefined && !hasKey(format.key)) continue
    const candidate = evaluate(format, lines, clock)
    if (candidate.explained === 0 || candidate.explained < all * leastPart(format.rank)) continue
    candidates.push(candidate)
    if (candidate.explained < all) continue
    settled = format.rank
    if (candidate.depth === 0) break
  }
  const most = Math.max(...candidates.map(({ explained }) => explained))
  return candidates.filter(({ explained }) => explained >= most * NEARLY).sort(compare)[0]
}

function compare(a: Candidate, b: Candidate): number {
  return b.format.rank - a.format.rank || b.explained - a.explained || a.depth - b.depth
}

/** Most keys are nowhere in a log: one search over all lines is much faster than one per line. */
function keySearch({ bytes, starts, ends }: Lines): (key: string) => boolean {
  let text: string | undefined
  return (key) => {
    // Keys are ASCII, which is the same in Latin-1 and UTF-8.
    text ??= new TextDecoder('latin1').decode(bytes.subarray(starts[0], ends.at(-1)))
    return text.includes(key)
  }
}

const found: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }

function evaluate(format: LineFormat, { bytes, starts, ends }: Lines, clock: WallClock): Candidate {
  const { firstBytes } = format
  let explained = 0
  let depth = 0
  for (let i = 0; i < starts.length; i++) {
    if (firstBytes && firstBytes[bytes[starts[i]]] === 0) continue
    if (!format.find(bytes, starts[i], ends[i], clock, found)) continue
    explained++
    depth += found.start - starts[i]
  }
  return { format, explained, depth }
}

/** The configured timestamps. */
export interface ConfiguredTimestamps {
  /** That of the source: it is tried first. */
  readonly timestamp?: CustomTimestamp
  /** Tried before the built-in formats. */
  readonly timestamps?: readonly { readonly pattern: string; readonly format: string }[]
}

/** Decides the format of lines. */
export interface FormatDecider {
  /** The configured formats. */
  readonly configured: readonly LineFormat[]
  decide(lines: Lines): Decision | undefined
  /** Whether no format that a later line might show is preferred to this one. */
  isFirstChoice(decision: Decision): boolean
}

/** Compiles the configured timestamps, which are tried before the built-in formats. Throws if one is not valid. */
export function createFormatDecider(
  { timestamp, timestamps = [] }: ConfiguredTimestamps,
  clock: WallClock,
): FormatDecider {
  const own = timestamp ? [customFormat(timestamp, 0)] : []
  const shared = timestamps.map(({ pattern, format }, i) => customFormat({ regex: pattern, format }, own.length + i))
  const choices = [own, shared].filter((formats) => formats.length > 0)
  return {
    configured: choices.flat(),
    decide(lines) {
      for (const formats of choices) {
        const decision = detectFormat(lines, clock, formats)
        if (decision) return decision
      }
      return detectFormat(lines, clock)
    },
    isFirstChoice: ({ format }) => choices.length === 0 || choices[0].includes(format),
  }
}
