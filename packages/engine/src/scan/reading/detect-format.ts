import type { FoundTime } from '../../time/finish.js'
import { RANK } from '../../time/formats.js'
import { builtInFormats, type CustomTimestamp, customFormat, type LineFormat } from './format.js'

/** Lines to evaluate by: where each starts and ends in `bytes`. None is empty. */
export interface Lines {
  readonly bytes: Uint8Array
  readonly starts: number[]
  readonly ends: number[]
}

/** A format with what it explains. */
export interface Decision {
  readonly format: LineFormat
  /** How many of the lines have a time in this format. */
  readonly explained: number
}

interface Candidate extends Decision {
  /** How far into the lines the times stand, all together. */
  readonly depth: number
}

/** A format that says more about a line is taken when it explains at least this part of what the best one does. */
const NEARLY = 1 / 2

/**
 * What part of the lines a format must explain at least. A line that begins with a date is the start of an entry, be the
 * stack trace behind it ever so long; but a date somewhere in a line, or a number that could be one, may be anything.
 */
function leastPart(rank: number): number {
  if (rank >= RANK.start) return 0
  return rank === RANK.weak ? 1 / 3 : 1 / 10
}

/**
 * Decides the format of a log on its first lines: the one that explains the most of them. Of those that explain about as
 * many the one that says most about a line is taken, then the one that explains more, then the one whose times stand
 * furthest left, then the first in the table.
 *
 * ```ts
 * detectFormat({ bytes, starts: [0, 38], ends: [37, 75] }, yearLimit(now))?.format.format.name // 'rfc3339'
 * ```
 */
export function detectFormat(
  lines: Lines,
  limit: number,
  formats: readonly LineFormat[] = builtInFormats(),
): Decision | undefined {
  const candidates: Candidate[] = []
  const all = lines.starts.length
  if (all === 0) return undefined
  const hasKey = keySearch(lines)
  let settled = 0
  for (const format of formats) {
    // Nothing can beat a format that explains every line but one of its own rank, with times further left.
    if (format.rank < settled) break
    if (format.key !== undefined && !hasKey(format.key)) continue
    const candidate = evaluate(format, lines, limit)
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

/** Most keys stand nowhere in a log: one search over all lines is much faster than one in each. */
function keySearch({ bytes, starts, ends }: Lines): (key: string) => boolean {
  let text: string | undefined
  return (key) => {
    // Keys are ASCII, which this encoding has in common with UTF-8; any other byte is some character.
    text ??= new TextDecoder('latin1').decode(bytes.subarray(starts[0], ends.at(-1)))
    return text.includes(key)
  }
}

const found: FoundTime = { seconds: 0, nanos: 0, start: 0, end: 0 }

function evaluate(format: LineFormat, { bytes, starts, ends }: Lines, limit: number): Candidate {
  const { firstBytes } = format
  let explained = 0
  let depth = 0
  for (let i = 0; i < starts.length; i++) {
    if (firstBytes && firstBytes[bytes[starts[i]]] === 0) continue
    if (!format.find(bytes, starts[i], ends[i], limit, found)) continue
    explained++
    depth += found.start - starts[i]
  }
  return { format, explained, depth }
}

/** What the configuration says about timestamps. */
export interface ConfiguredTimestamps {
  /** The source's own: it goes before everything else. */
  readonly timestamp?: CustomTimestamp
  /** Tried before the built-in formats. */
  readonly timestamps?: readonly { readonly pattern: string; readonly format: string }[]
}

/** Decides the format of lines. */
export interface FormatDecider {
  decide(lines: Lines): Decision | undefined
  /** Whether no other format would go before this one if it came with a later line. */
  isFirstChoice(decision: Decision): boolean
}

/** Compiles the configured timestamps; one that cannot be used throws. They are tried before the built-in formats. */
export function createFormatDecider(
  { timestamp, timestamps = [] }: ConfiguredTimestamps,
  limit: number,
): FormatDecider {
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
