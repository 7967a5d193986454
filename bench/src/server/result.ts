import { atLeast, atMost, type Goal } from '../verdict.js'
import { type LoadFigure, ratioOf } from './duel.js'

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

/** What each endpoint has to reach beside the bare route, besides its rate. */
const P99_TO_BARE = atMost(2)

/** A sign-in through the service: at the provider it is the same work as without. */
const RATE_TO_PROVIDER = atLeast(0.5)
const P99_TO_PROVIDER = atMost(3)

/** What years of data may change. */
const RATE_WHEN_FULL = atLeast(0.8)
const P99_WHEN_FULL = atMost(1.2)

export const MEMORY_GOAL: Goal = { kind: 'under', value: 150, unit: 'MiB' }

const compared =
  (rate: Goal, p99: Goal) => (row: string, work: string, figures: readonly [LoadFigure, LoadFigure]) => ({
    row,
    work,
    subject: figures[0],
    opponent: figures[1],
    judged: [
      { measured: ratioOf(figures, 'rate'), goal: rate },
      { measured: ratioOf(figures, 'p99'), goal: p99 },
    ],
  })

/** An endpoint beside the bare route. */
export const besideBare = (rate: number) => compared(atLeast(rate), P99_TO_BARE)

/** Sign-ins through the service beside the identity provider alone. */
export const besideProvider = compared(RATE_TO_PROVIDER, P99_TO_PROVIDER)

/** An endpoint on a full database beside itself on an empty one. */
export const besideEmpty = compared(RATE_WHEN_FULL, P99_WHEN_FULL)
