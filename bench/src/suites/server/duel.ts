import type { LoadFigures } from './load.js'

/** The measurements of one contestant: the medians of the rates and of the 99th percentiles of all its rounds. */
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

/** Rounds that do not count: V8 needs about ten thousand requests to compile the service. */
const WARM_UP = 2

/**
 * Measures two contestants in turn (A B A B …): a slow period of the machine affects both of a turn.
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
 * The ratio of the first contestant to the second: the median over the turns. The speed of a shared machine varies by half within
 * seconds, but not much within a turn, and one disturbed round does not change the median.
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
