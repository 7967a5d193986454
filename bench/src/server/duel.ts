import type { LoadFigures } from './load.js'

/** What was measured of one contestant: the median of the rates, and of the 99th percentiles, of all its rounds. */
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
 * Lets two contestants take turns (A B A B …), after some that do not count: a slow spell of the machine falls on both of a turn.
 *
 * @example
 * const [ours, bare] = await duel([service, opponent], { connections: 20, seconds: 1, runs: 31 })
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
    rate: median(rounds.map(({ rate }) => rate)),
    p99: median(rounds.map(({ p99 }) => p99)),
    rounds,
  }
}

/**
 * How the first contestant did to the second: the median of the ratios of each turn. The machine's speed swings by half within
 * seconds, but not much within a turn, and a round that was lucky or disturbed decides nothing.
 *
 * @example
 * ratioOf([ours, bare], 'rate') // 0.64
 */
export function ratioOf([first, second]: readonly [LoadFigure, LoadFigure], what: 'rate' | 'p99'): number {
  return median(first.rounds.map((round, turn) => round[what] / second.rounds[turn]![what]))
}

/** Of an even number, the mean of the two in the middle. */
function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
