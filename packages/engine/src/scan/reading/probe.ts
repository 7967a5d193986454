import { STATE } from '../kernel/reading-layout.js'
import type { Decision, FormatDecider, Lines } from './detect-format.js'
import type { Block } from './entries.js'
import { removeEscapes } from './escapes.js'
import { markLength } from './lines.js'

/** The format is decided on at most this many bytes. */
export const PROBE_BYTES = 256 * 1024

/** If one format explains all of this many first lines, no more lines are needed. */
export const SURE_AFTER = 16

/** The first lines of a log, collected chunk by chunk. Positions are relative to the start of the probe. */
export interface Probe {
  /** Adds the lines of the bytes from `start` to `limit`, which include those of the last call. `final` if none follow. */
  grow(bytes: Uint8Array, start: number, limit: number, final: boolean): void
  /** The number of lines. */
  readonly count: number
  /** Whether no more lines will be added. */
  readonly full: boolean
  /** The first `count` lines without the empty ones. */
  lines(bytes: Uint8Array, start: number, count: number): Lines
}

/** Creates a probe for at most `most` lines; `atStart` if a byte order mark may precede them. */
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
      return withoutEscapes(kept)
    },
  }
}

/** The lines without escape sequences: a copy of them if there are any, because the bytes will be read as entries. */
function withoutEscapes(lines: Lines): Lines {
  const from = lines.starts[0] ?? 0
  const bytes = lines.bytes.subarray(from, lines.ends.at(-1))
  if (!bytes.includes(ESCAPE)) return lines
  const copy = bytes.slice()
  const starts = lines.starts.map((start) => start - from)
  return { bytes: copy, starts, ends: lines.ends.map((end, i) => removeEscapes(copy, starts[i], end - from)) }
}

const ESCAPE = 27

/** The result of a probe. */
export interface ProbeResult {
  /** The format that explains them best, if any does. */
  readonly decision: Decision | undefined
  /** The lines that are not empty, and the number of all lines. */
  readonly lines: Lines
  readonly count: number
}

/** Decides the format of the unread lines while it is not known. */
export interface Probing {
  /** Evaluates the lines that were read so far; undefined if more are needed. */
  look(block: Block): ProbeResult | undefined
  /** Evaluates the lines that were read so far, even if they are few. */
  conclude(block: Block): ProbeResult
}

/**
 * Starts to probe lines. The result depends on the lines only, not on how many arrive at a time: there is one after sixteen
 * lines if all of them agree, otherwise after `most` lines or at the end of the data.
 */
export function startProbing(decider: FormatDecider, most: number, { words }: Block): Probing {
  const probe = createProbe(Math.max(1, most), words[STATE.line] === 1)
  let triedEarly = false

  function evaluate(bytes: Uint8Array, start: number): ProbeResult {
    const lines = probe.lines(bytes, start, probe.count)
    return { decision: decider.decide(lines), lines, count: probe.count }
  }

  return {
    look({ words, bytes }) {
      const start = words[STATE.at]
      probe.grow(bytes, start, words[STATE.limit], words[STATE.final] === 1)
      if (!triedEarly && probe.count >= SURE_AFTER) {
        triedEarly = true
        const lines = probe.lines(bytes, start, SURE_AFTER)
        const decision = decider.decide(lines)
        if (decision?.explained === SURE_AFTER && decider.isFirstChoice(decision)) {
          return { decision, lines, count: SURE_AFTER }
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

/** Whether a decision explains enough lines to add its format to those of the stream. */
export function isConvincing(decision: Decision | undefined, { starts }: Lines): decision is Decision {
  return decision !== undefined && decision.explained * 2 > starts.length
}
