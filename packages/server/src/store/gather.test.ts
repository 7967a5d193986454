import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Queries } from './database.js'
import { gather, inPlace } from './gather.js'
import { QueryFailure } from './query-failure.js'

const nowhere: Queries = { query: () => Promise.reject(new Error('nobody asks')) }

function counting(refuse: (key: number) => Error | undefined = () => undefined) {
  const asked: number[][] = []
  const double = gather(async (_queries: Queries, keys: readonly number[]) => {
    asked.push([...keys])
    const refused = keys.map(refuse).find((error) => error !== undefined)
    if (refused) throw refused
    return keys.map((key) => key * 2)
  })
  return { asked, double }
}

test('questions that come together are one query, each with its own answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 100 }),
      async (keys) => {
        const { asked, double } = counting()
        expect(await Promise.all(keys.map((key) => double(nowhere, key)))).toEqual(keys.map((key) => key * 2))
        expect(asked).toEqual([keys])
      },
    ),
  )
})

test('a question is never answered by a query that was asked before it came', async () => {
  const { asked, double } = counting()
  await double(nowhere, 1)
  await double(nowhere, 1)
  expect(asked).toEqual([[1], [1]])
})

test('as long as each turn of the event loop brings another, they are gathered, but not for ever', async () => {
  const gathered = async (turns: number) => {
    const { asked, double } = counting()
    const answers: Promise<number>[] = []
    for (let turn = 0; turn < turns; turn++) {
      answers.push(double(nowhere, turn))
      await new Promise(setImmediate)
    }
    await Promise.all(answers)
    return asked.map(({ length }) => length)
  }
  expect(await gathered(5)).toEqual([5])
  expect(await gathered(20)).toEqual([8, 8, 4])
})

test.each([
  { later: 2, queries: [[1, 2]] },
  { later: 3, queries: [[1], [2]] },
])('a question that comes $later turns after the last: $queries', async ({ later, queries }) => {
  const { asked, double } = counting()
  const answers = [double(nowhere, 1)]
  for (let turn = 0; turn < later; turn++) await new Promise(setImmediate)
  answers.push(double(nowhere, 2))
  await Promise.all(answers)
  expect(asked).toEqual(queries)
})

test('very many questions are several queries of bounded size', async () => {
  const { asked, double } = counting()
  await Promise.all(Array.from({ length: 250 }, (_, key) => double(nowhere, key)))
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 50])
})

test('questions to different transactions stay apart', async () => {
  const { asked, double } = counting()
  await Promise.all([double(nowhere, 1), double({ ...nowhere }, 2)])
  expect(asked).toEqual([[1], [2]])
})

test('a question that the database refuses does not spoil the others', async () => {
  const { double } = counting((key) => (key === 2 ? new QueryFailure('no such thing', '22P02', undefined) : undefined))
  const outcomes = await Promise.allSettled([1, 2, 3].map((key) => double(nowhere, key)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a database that is away is told to all, and asked once', async () => {
  const { asked, double } = counting(() => new Error('away'))
  const outcomes = await Promise.allSettled([1, 2, 3].map((key) => double(nowhere, key)))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(asked).toEqual([[1, 2, 3]])
})

test('rows are put in the order of their questions, with gaps for what is not there', () => {
  const rows = [
    { place: 3, name: 'c' },
    { place: 1, name: 'a' },
  ]
  expect(inPlace(rows, 4, ({ name }) => name)).toEqual(['a', undefined, 'c', undefined])
})
