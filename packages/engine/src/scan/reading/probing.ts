import { STATE } from './abi.js'
import type { Decider } from './decide.js'
import type { Decision } from './detect.js'
import type { Block } from './entries.js'
import { createProbe, SURE_AFTER } from './probe.js'

/** What first lines have told. */
export interface Verdict {
  /** The format that explains them best, if any does. */
  readonly decision: Decision | undefined
  /** How many lines were looked at, and how many of them are not empty. */
  readonly lines: number
  readonly judged: number
}

/** A look at the unread lines, for the time when their format is not known. */
export interface Probing {
  /** Looks at the lines that are there by now; undefined when more must come. */
  look(block: Block): Verdict | undefined
  /** What the lines tell that have been looked at, be they as few as they are. */
  conclude(block: Block): Verdict
}

/**
 * Starts to look at lines. The verdict depends on the lines alone, never on how many of them come at a time: it is given
 * after sixteen when all of them agree, otherwise after `most` lines or the end of the data.
 */
export function startProbing(decider: Decider, most: number, { words }: Block): Probing {
  const probe = createProbe(Math.max(1, most), words[STATE.line] === 1)
  let triedEarly = false

  function judge(bytes: Uint8Array, start: number): Verdict {
    const lines = probe.lines(bytes, start, probe.count)
    return { decision: decider.decide(lines), lines: probe.count, judged: lines.starts.length }
  }

  return {
    look({ words, bytes }) {
      const start = words[STATE.at]
      probe.grow(bytes, start, words[STATE.limit], words[STATE.final] === 1)
      if (!triedEarly && probe.count >= SURE_AFTER) {
        triedEarly = true
        const decision = decider.decide(probe.lines(bytes, start, SURE_AFTER))
        if (decision?.explained === SURE_AFTER && decider.isFirstChoice(decision)) {
          return { decision, lines: SURE_AFTER, judged: SURE_AFTER }
        }
      }
      return probe.full ? judge(bytes, start) : undefined
    },
    conclude({ words, bytes }) {
      const start = words[STATE.at]
      probe.grow(bytes, start, words[STATE.limit], false)
      return judge(bytes, start)
    },
  }
}

/** Whether a decision explains enough to give up a format that has fitted so far. */
export function isConvincing(decision: Decision | undefined, judged: number): decision is Decision {
  return decision !== undefined && decision.explained * 2 > judged
}
