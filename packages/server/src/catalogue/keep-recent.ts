/** A cache of values that are expensive to compute, bounded in bytes. */
export interface Recent<T> {
  /** The value of a key, computed unless it is cached. Concurrent calls share one computation. */
  get(key: string, make: () => Promise<T>): Promise<T>
}

/**
 * Keeps values up to a limit; the least recently used goes first. A failed computation is not kept.
 *
 * @example
 * const recent = keepRecent<Buffer>({ most: 32 * 1024 * 1024, sizeOf: (bytes) => bytes.length })
 * await recent.get('a', () => readFile('a'))
 */
export function keepRecent<T>({ most, sizeOf }: { most: number; sizeOf: (value: T) => number }): Recent<T> {
  // A Map keeps the order in which keys were set: the first is the least recently used.
  const kept = new Map<string, { readonly value: Promise<T>; size: number }>()
  let total = 0
  const drop = (key: string) => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return {
    get(key, make) {
      const found = kept.get(key)
      if (found !== undefined) {
        kept.delete(key)
        kept.set(key, found)
        return found.value
      }
      const entry = { value: make(), size: 0 }
      kept.set(key, entry)
      entry.value.then(
        (value) => {
          if (kept.get(key) !== entry) return
          entry.size = sizeOf(value)
          total += entry.size
          for (const oldest of kept.keys()) {
            if (total <= most) break
            if (oldest !== key) drop(oldest)
          }
        },
        () => kept.get(key) === entry && drop(key),
      )
      return entry.value
    },
  }
}
