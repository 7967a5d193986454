import type { Clock } from './follow-options.js'

/** Since when the entries of a log wait for their order: they wait at most as long as the window. */
export interface Waiting {
  /** Data was read just now; entries up to this time wait, or none. */
  read(upTo: bigint | undefined): void
  /** The last entry that was read has become complete; entries up to this time wait, or none. */
  complete(upTo: bigint | undefined): void
  /** Removes those that have waited long enough, or all, and returns the latest time of them; undefined if there are none. */
  take(which: 'due' | 'all'): bigint | undefined
  clear(): void
  readonly isDue: boolean
  /** The time up to which entries wait, for the saved state. */
  readonly upTo: string | undefined
}

/** Entries up to this time wait since `since`; milliseconds of the monotonic clock. */
interface Mark {
  readonly since: number
  readonly upTo: bigint
}

/** Data that is read within this many milliseconds waits together. */
const STEP = 100

/** `saved` is `upTo` of an earlier run. */
export function createWaiting(
  window: bigint | undefined,
  saved: string | undefined,
  { elapsed }: Pick<Clock, 'elapsed'>,
): Waiting {
  const limit = Number(window ?? 0n) / 1_000_000
  let lastRead = elapsed()
  let marks: Mark[] = saved === undefined ? [] : [{ since: lastRead, upTo: BigInt(saved) }]

  function mark(since: number, upTo: bigint | undefined): void {
    if (upTo === undefined) {
      marks = []
      return
    }
    const last = marks.at(-1)
    if (last && since - last.since < STEP) marks[marks.length - 1] = { since: last.since, upTo }
    else if (last?.upTo !== upTo) marks.push({ since, upTo })
  }

  const isDue = ({ since }: Mark) => elapsed() - since >= limit

  return {
    read(upTo) {
      lastRead = elapsed()
      mark(lastRead, upTo)
    },
    complete: (upTo) => mark(lastRead, upTo),
    take(which) {
      const taken = which === 'all' ? marks : marks.filter(isDue)
      marks = marks.slice(taken.length)
      return taken.at(-1)?.upTo
    },
    clear() {
      marks = []
    },
    get isDue() {
      return marks.length > 0 && isDue(marks[0]!)
    },
    get upTo() {
      const last = marks.at(-1)
      return last && String(last.upTo)
    },
  }
}
