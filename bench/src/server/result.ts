import { atLeast, atMost, type Goal } from '../verdict.js'
import type { LoadFigure } from './duel.js'

/** A figure with its goal, in the goal's unit and not rounded. */
export interface Judged {
  readonly measured: number
  readonly goal: Goal
}

/** A line of the table. */
export interface ServerResult {
  readonly row: string
  readonly work: string
  readonly subject: LoadFigure | null
  readonly opponent: LoadFigure | null
  /** The rate and the 99th percentile, or the memory. */
  readonly judged: readonly Judged[]
}

/** What each endpoint has to reach beside the bare route. */
const RATE_TO_BARE = atLeast(0.6)
const P99_TO_BARE = atMost(2)

/** What years of data may change. */
const RATE_WHEN_FULL = atLeast(0.8)
const P99_WHEN_FULL = atMost(1.2)

export const MEMORY_GOAL: Goal = { kind: 'under', value: 150, unit: 'MiB' }

const compared =
  (rate: Goal, p99: Goal) =>
  (row: string, work: string, [subject, opponent]: [LoadFigure, LoadFigure]) => ({
    row,
    work,
    subject,
    opponent,
    judged: [
      { measured: subject.rate / opponent.rate, goal: rate },
      { measured: subject.p99 / opponent.p99, goal: p99 },
    ],
  })

/** An endpoint beside the bare route. */
export const besideBare = compared(RATE_TO_BARE, P99_TO_BARE)

/** An endpoint on a full database beside itself on an empty one. */
export const besideEmpty = compared(RATE_WHEN_FULL, P99_WHEN_FULL)
