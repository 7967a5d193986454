import type { Queries } from './database.js'

/** The largest batch: a query for more keys takes as long as several queries. */
const LARGEST_BATCH = 100

/** Finds the values of several keys with one query, in the order of the keys. */
export type FindAll<Key, Found> = (queries: Queries, keys: readonly Key[]) => Promise<readonly Found[]>

interface Batch<Key, Found> {
  readonly keys: Key[]
  readonly found: Promise<readonly Found[]>
}

/**
 * Looks up the keys that are asked for in one turn of the event loop with one query. Under load the round trip to the database
 * costs more than finding a row, and several requests share it. Each query starts after its requests arrived, so it sees
 * everything that was committed before. See docs/decisions/0010-batched-session-queries.md.
 *
 * @example
 * const findName = gather((queries, ids: readonly number[]) => namesOf(queries, ids))
 * await Promise.all([findName(database, 1), findName(database, 2)]) // one query
 */
export function gather<Key, Found>(findAll: FindAll<Key, Found>): (queries: Queries, key: Key) => Promise<Found> {
  const open = new WeakMap<Queries, Batch<Key, Found>>()

  const openBatch = (queries: Queries): Batch<Key, Found> => {
    const keys: Key[] = []
    // Immediates run after every request that the network had ready.
    const found = new Promise(setImmediate).then(() => {
      if (open.get(queries) === batch) open.delete(queries)
      return findAll(queries, keys)
    })
    const batch = { keys, found }
    open.set(queries, batch)
    return batch
  }
  return async (queries, key) => {
    const current = open.get(queries)
    const batch = current !== undefined && current.keys.length < LARGEST_BATCH ? current : openBatch(queries)
    const index = batch.keys.push(key) - 1
    return (await batch.found)[index]!
  }
}

/** A row that says which key it belongs to, counted from 1, as `with ordinality` does. */
export type Numbered = { readonly number: number }

/** Puts rows in the order of their keys; undefined for a key that was not found. */
export function inKeyOrder<Row extends Numbered, Found>(
  rows: readonly Row[],
  count: number,
  read: (row: Row) => Found,
): readonly (Found | undefined)[] {
  const found = new Array<Found | undefined>(count).fill(undefined)
  for (const row of rows) found[row.number - 1] = read(row)
  return found
}
