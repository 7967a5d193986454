import { expect, test } from 'vitest'
import { type Contestant, duel } from './duel.js'

type Figures = readonly (readonly [rate: number, p99: number])[]

/** Answers with the figures that it has for its next round, and notes whose turn it was. */
function contestant(name: string, figures: Figures, turns: string[]): Contestant {
  const left = [...figures]
  return {
    name,
    async round() {
      turns.push(name)
      const [rate, p99] = left.shift()!
      return { rate, p99, answers: 1 }
    },
  }
}

test('contestants take turns, and the best round of each counts once they are warm', async () => {
  const turns: string[] = []
  const warm: Figures = [
    [999, 0.1],
    [999, 0.1],
  ]
  const first = contestant('a', [...warm, [10, 5], [30, 9]], turns)
  const second = contestant('b', [...warm, [40, 2], [20, 1]], turns)
  const [a, b] = await duel([first, second], { connections: 1, seconds: 1, runs: 2 })
  expect(turns.join('')).toBe('abababab')
  expect([a.rate, a.p99, b.rate, b.p99]).toEqual([30, 5, 40, 1])
  expect(a.rounds).toHaveLength(2)
})
