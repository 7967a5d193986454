import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Queries } from './database.js'
import { gather, inKeyOrder } from './gather.js'

const database: Queries = { query: () => Promise.reject(new Error('not used')) }

/** Doubles numbers in batches, and records the keys of each. */
function recording(failure?: Error) {
  const batches: number[][] = []
  const double = gather(async (_queries: Queries, keys: readonly number[]) => {
    batches.push([...keys])
    if (failure) throw failure
    return keys.map((key) => key * 2)
  })
  return { batches, double }
}

test('keys of one turn of the event loop are looked up with one query, and each gets its own value', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 100 }),
      async (keys) => {
        const { batches, double } = recording()
        expect(await Promise.all(keys.map((key) => double(database, key)))).toEqual(keys.map((key) => key * 2))
        expect(batches).toEqual([keys])
      },
    ),
  )
})

test('a key never gets its value from a query that started before it was requested', async () => {
  const { batches, double } = recording()
  const first = double(database, 1)
  await new Promise(setImmediate)
  await Promise.all([first, double(database, 1)])
  await double(database, 1)
  expect(batches).toEqual([[1], [1], [1]])
})

test('more keys than fit into a batch are looked up with several queries', async () => {
  const { batches, double } = recording()
  const values = await Promise.all(Array.from({ length: 250 }, (_, key) => double(database, key)))
  expect(values).toEqual(Array.from({ length: 250 }, (_, key) => key * 2))
  expect(batches.map(({ length }) => length)).toEqual([100, 100, 50])
})

test('keys of different transactions stay apart', async () => {
  const { batches, double } = recording()
  await Promise.all([double(database, 1), double({ ...database }, 2)])
  expect(batches).toEqual([[1], [2]])
})

test('a query that fails rejects every request of its batch, and is sent once', async () => {
  const { batches, double } = recording(new Error('the database is away'))
  const outcomes = await Promise.allSettled([1, 2, 3].map((key) => double(database, key)))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(batches).toEqual([[1, 2, 3]])
})

test('rows are put in the order of their keys, with undefined for keys that were not found', () => {
  const rows = [
    { number: 3, name: 'c' },
    { number: 1, name: 'a' },
  ]
  expect(inKeyOrder(rows, 4, ({ name }) => name)).toEqual(['a', undefined, 'c', undefined])
})
