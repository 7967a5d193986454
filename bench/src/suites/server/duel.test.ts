import { expect, test } from 'vitest'
import { type Contestant, duel, ratioOf } from './duel.js'

type Figures = readonly (readonly [rate: number, p99: number])[]

/** Answers with the figures that it has for its next round, and notes whose turn it was. */
function contestant(name: string, figures: Figures, turns: string[]): Contestant {
  const left = [...figures]
  return {
    name,
    async round() {
      turns.push(name)
      const [rate, p99] = left.shift()!
      return { rate, p99, responses: 1 }
    },
  }
}

const WARM: Figures = [
  [999, 0.1],
  [999, 0.1],
]

test('contestants take turns, and the median of the rounds counts once they are warm', async () => {
  const turns: string[] = []
  const first = contestant('a', [...WARM, [10, 5], [30, 9], [11, 6]], turns)
  const second = contestant('b', [...WARM, [40, 2], [20, 1], [44, 3]], turns)
  const [a, b] = await duel([first, second], { connections: 1, seconds: 1, runs: 3 })
  expect(turns.join('')).toBe('ababababab')
  expect([a.rate, a.p99, b.rate, b.p99]).toEqual([11, 6, 40, 2])
  expect(a.rounds).toHaveLength(3)
})

test('a turn that fell into a slow spell decides nothing, nor does one lucky round', async () => {
  const ours: Figures = [...WARM, [60, 4], [30, 8], [31, 9], [500, 1]]
  const theirs: Figures = [...WARM, [100, 2], [50, 4], [50, 4], [101, 2]]
  const contestants = [contestant('a', ours, []), contestant('b', theirs, [])] as const
  const figures = await duel(contestants, { connections: 1, seconds: 1, runs: 4 })
  expect(ratioOf(figures, 'rate')).toBeCloseTo((0.6 + 0.62) / 2)
  expect(ratioOf(figures, 'p99')).toBe(2)
})
