import type { Arrival } from './slow-matcher.js'

export interface OrderOptions {
  readonly window: bigint
  /** Before which entries everything up to this time is released. */
  readonly releases?: ReadonlyMap<number, bigint>
  /** With more waiting matches the earliest is delivered early. */
  readonly most?: number
}

/**
 * The oracle of the reordering: every entry, whether it meets a condition or not, is put into a list, and taken from it in the
 * order of time when an entry more than `window` later has arrived. An entry that comes after that is passed on as late.
 */
export function slowOrder(log: readonly Arrival[], options: OrderOptions): Arrival[] {
  const { window, releases = new Map(), most = Number.POSITIVE_INFINITY } = options
  const delivered: Arrival[] = []
  let waiting: Arrival[] = []
  let latest: bigint | undefined
  let floor: bigint | undefined

  function release(isDue: (timestamp: bigint) => boolean): void {
    const due = waiting.filter(({ entry }) => isDue(entry.timestamp))
    waiting = waiting.filter(({ entry }) => !isDue(entry.timestamp))
    delivered.push(...due.sort(byTime))
  }

  function raise(limit: bigint): void {
    if (floor === undefined || limit > floor) floor = limit
  }

  /** Delivers the earliest match. Entries before it that meet no condition are left out: more of them may come. */
  function releaseFirst(): void {
    const sorted = waiting.toSorted(byTime)
    const first = sorted.findIndex(isMatch)
    delivered.push(sorted[first]!)
    waiting = waiting.filter((arrival) => sorted.indexOf(arrival) > first)
    raise(sorted[first]!.entry.timestamp)
  }

  for (const [index, arrival] of log.entries()) {
    const upTo = releases.get(index)
    if (upTo !== undefined && latest !== undefined) {
      const limit = upTo < latest ? upTo : latest
      release((timestamp) => timestamp <= limit)
      raise(limit)
    }
    const { timestamp } = arrival.entry
    if (latest === undefined || timestamp > latest) latest = timestamp
    const limit = latest - window
    release((time) => time < limit)
    const isLate = timestamp < limit || (floor !== undefined && timestamp < floor)
    if (isLate) delivered.push({ ...arrival, isLate })
    else waiting.push(arrival)
    while (waiting.filter(isMatch).length > most) releaseFirst()
  }
  release(() => true)
  return delivered
}

function byTime(a: Arrival, b: Arrival): number {
  return Number(a.entry.timestamp - b.entry.timestamp)
}

function isMatch({ conditions }: Arrival): boolean {
  return conditions.length > 0
}
