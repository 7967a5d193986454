import { STATE } from '../kernel/reading-layout.js'
import type { Decision, FormatDecider, Lines } from './detect-format.js'
import type { Block } from './entries.js'

/** The format is decided on this many bytes at most. */
export const PROBE_BYTES = 256 * 1024

/** When one format explains this many first lines, every one of them, the others are not waited for. */
export const SURE_AFTER = 16

/** The first lines of a log, collected piece by piece. Positions count from where the probe began. */
export interface Probe {
  /** Looks at the bytes from `start` to `limit`: those that it has seen, and more. `final` when no more will follow. */
  grow(bytes: Uint8Array, start: number, limit: number, final: boolean): void
  /** How many lines there are. */
  readonly count: number
  /** Whether these are all the lines that will be looked at. */
  readonly full: boolean
  /** The first `count` lines, less the empty ones. */
  lines(bytes: Uint8Array, start: number, count: number): Lines
}

/** Makes a probe for at most `most` lines; `atStart` when a byte order mark may stand in front of them. */
export function createProbe(most: number, atStart: boolean): Probe {
  const starts: number[] = []
  const ends: number[] = []
  let lineStart = 0
  let searched = 0
  let full = false

  function add(end: number): void {
    starts.push(lineStart)
    ends.push(end)
  }

  return {
    grow(bytes, start, limit, final) {
      const stop = Math.min(limit, start + PROBE_BYTES)
      const data = bytes.subarray(0, stop)
      while (!full) {
        const lineFeed = data.indexOf(10, start + searched)
        if (lineFeed < 0) break
        const end = lineFeed - start
        add(end > lineStart && bytes[lineFeed - 1] === 13 ? end - 1 : end)
        lineStart = searched = end + 1
        full = starts.length === most
      }
      if (full) return
      searched = stop - start
      full = final || searched === PROBE_BYTES
      if (full && searched > lineStart) add(searched)
    },
    get count() {
      return starts.length
    },
    get full() {
      return full
    },
    lines(bytes, start, count) {
      const kept: Lines = { bytes, starts: [], ends: [] }
      for (let i = 0; i < count; i++) {
        const from = start + starts[i]
        const to = start + ends[i]
        const mark = i === 0 && atStart ? markLength(bytes, from, to) : 0
        if (to > from + mark) {
          kept.starts.push(from + mark)
          kept.ends.push(to)
        }
      }
      return kept
    },
  }
}

/** How long the byte order mark is that stands here: 3 or 0. */
export function markLength(bytes: Uint8Array, start: number, end: number): number {
  return start + 3 <= end && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? 3 : 0
}

/** What first lines have told. */
export interface ProbeResult {
  /** The format that explains them best, if any does. */
  readonly decision: Decision | undefined
  /** How many lines were looked at, and how many of them are not empty. */
  readonly lines: number
  readonly nonEmpty: number
}

/** A look at the unread lines, for the time when their format is not known. */
export interface Probing {
  /** Looks at the lines that are there by now; undefined when more must come. */
  look(block: Block): ProbeResult | undefined
  /** What the lines tell that have been looked at, be they as few as they are. */
  conclude(block: Block): ProbeResult
}

/**
 * Starts to look at lines. The result depends on the lines alone, never on how many of them come at a time: it is given
 * after sixteen when all of them agree, otherwise after `most` lines or the end of the data.
 */
export function startProbing(decider: FormatDecider, most: number, { words }: Block): Probing {
  const probe = createProbe(Math.max(1, most), words[STATE.line] === 1)
  let triedEarly = false

  function evaluate(bytes: Uint8Array, start: number): ProbeResult {
    const lines = probe.lines(bytes, start, probe.count)
    return { decision: decider.decide(lines), lines: probe.count, nonEmpty: lines.starts.length }
  }

  return {
    look({ words, bytes }) {
      const start = words[STATE.at]
      probe.grow(bytes, start, words[STATE.limit], words[STATE.final] === 1)
      if (!triedEarly && probe.count >= SURE_AFTER) {
        triedEarly = true
        const decision = decider.decide(probe.lines(bytes, start, SURE_AFTER))
        if (decision?.explained === SURE_AFTER && decider.isFirstChoice(decision)) {
          return { decision, lines: SURE_AFTER, nonEmpty: SURE_AFTER }
        }
      }
      return probe.full ? evaluate(bytes, start) : undefined
    },
    conclude({ words, bytes }) {
      const start = words[STATE.at]
      probe.grow(bytes, start, words[STATE.limit], false)
      return evaluate(bytes, start)
    },
  }
}

/** Whether a decision explains enough to give up a format that has fitted so far. */
export function isConvincing(decision: Decision | undefined, nonEmpty: number): decision is Decision {
  return decision !== undefined && decision.explained * 2 > nonEmpty
}
