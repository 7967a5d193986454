import { expect, test } from 'vitest'
import { duel } from './duel.js'
import type { Job, Load } from './load.js'

/** Answers with the figures that a contestant has for its next round. */
function loadWith(figures: Readonly<Record<string, readonly (readonly [rate: number, p99: number])[]>>) {
  const jobs: string[] = []
  const rounds = new Map<string, number>()
  const load: Load = {
    async run({ url }: Job) {
      const round = rounds.get(url) ?? 0
      rounds.set(url, round + 1)
      jobs.push(url)
      const [rate, p99] = figures[url]![round]!
      return { rate, p99, answers: 1 }
    },
    stop: () => {},
  }
  return { jobs, load }
}

const contestant = (url: string) => ({ name: url, url, requests: [], status: 200 })

test('contestants take turns, and the best round of each counts once they are warm', async () => {
  const { jobs, load } = loadWith({
    a: [
      [999, 0.1],
      [999, 0.1],
      [10, 5],
      [30, 9],
    ],
    b: [
      [999, 0.1],
      [999, 0.1],
      [40, 2],
      [20, 1],
    ],
  })
  const pace = { connections: 1, seconds: 1, runs: 2 }
  const [a, b] = await duel(load, [contestant('a'), contestant('b')], pace)
  expect(jobs.join('')).toBe('abababab')
  expect([a.rate, a.p99, b.rate, b.p99]).toEqual([30, 5, 40, 1])
  expect(a.rounds).toHaveLength(2)
})
