import type { LoadFigures } from './load.js'

/** What was measured of one contestant: the best rate and the best 99th percentile of all its rounds. */
export interface LoadFigure {
  readonly name: string
  readonly rate: number
  readonly p99: number
  readonly rounds: readonly LoadFigures[]
}

export interface Contestant {
  readonly name: string
  /** Measures one round. */
  round(pace: Pick<Pace, 'connections' | 'seconds'>): Promise<LoadFigures>
}

export interface Pace {
  readonly connections: number
  readonly seconds: number
  readonly runs: number
}

/** Rounds before the first that counts: the compiler of Node.js takes some ten thousand requests to be done. */
const WARM_UP = 2

/**
 * Lets two contestants take turns (A B A B …), after some that do not count. A slow spell of the machine then falls
 * on both, and the best round is the one that was disturbed least.
 *
 * @example
 * const [ours, bare] = await duel([service, opponent], { connections: 20, seconds: 3, runs: 5 })
 */
export async function duel(
  contestants: readonly [Contestant, Contestant],
  { connections, seconds, runs }: Pace,
): Promise<[LoadFigure, LoadFigure]> {
  const pace = { connections, seconds }
  const [first, second] = contestants
  for (let i = 0; i < WARM_UP; i++) for (const contestant of contestants) await contestant.round(pace)
  const rounds: [LoadFigures[], LoadFigures[]] = [[], []]
  for (let i = 0; i < runs; i++) {
    rounds[0].push(await first.round(pace))
    rounds[1].push(await second.round(pace))
  }
  return [figureOf(first.name, rounds[0]), figureOf(second.name, rounds[1])]
}

function figureOf(name: string, rounds: readonly LoadFigures[]): LoadFigure {
  return {
    name,
    rate: Math.max(...rounds.map(({ rate }) => rate)),
    p99: Math.min(...rounds.map(({ p99 }) => p99)),
    rounds,
  }
}
