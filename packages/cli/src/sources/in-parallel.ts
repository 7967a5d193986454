/**
 * Does some work for every item, at most `most` at a time, and gives the results in the order of the items.
 *
 * @example
 * const heads = await inParallel(paths, 32, readHead)
 */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  async function workOn(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index])
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOn))
  return results
}
