import { SEVERITY_LABELS } from '@omen/engine'
import { MOST_PLACES, type NotifiedProblem } from './message.js'

export interface NotifierOptions {
  /** Sends one message; rejects when it could not be delivered. */
  readonly send: (problems: readonly NotifiedProblem[]) => Promise<void>
  /** Milliseconds, of any clock that only goes forward. */
  readonly clock: () => number
  /** Does something later; what it returns calls that off. */
  readonly schedule: (work: () => void, milliseconds: number) => () => void
  /** At most one message in this many milliseconds; 30 s when absent. */
  readonly interval?: number
  /** Told of each message that could not be delivered. Its problems are kept and sent with the next. */
  readonly failed: (error: unknown) => void
}

/** Collects what is found while a log is followed, and tells of it now and then. */
export interface Notifier {
  add(problem: NotifiedProblem): void
  /** What has not been delivered yet. */
  pending(): readonly NotifiedProblem[]
  /** Sends what is left. Rejects when that could not be delivered. */
  flush(): Promise<void>
}

const INTERVAL = 30_000

/** After failures the next try waits for up to this many intervals: a webhook that is gone is not asked twice a minute. */
const LONGEST_BACKOFF = 16

/**
 * Makes a notifier: the first problem is told at once, with what is found in the same breath; after that there is at most
 * one message in an interval, with the detections of a problem counted together. A message that could not be delivered is
 * merged into the next. What waits is bounded by the number of rules: there is one entry for each.
 *
 * @example
 * const notifier = createNotifier({ send, clock: () => performance.now(), schedule, failed })
 * notifier.add({ id: 'CRE-2026-0001', severity: 'critical', hits: 1, first })
 * await notifier.flush()
 */
export function createNotifier({ send, clock, schedule, interval = INTERVAL, failed }: NotifierOptions): Notifier {
  let waiting = new Map<string, NotifiedProblem>()
  let sending: Promise<void> | undefined
  let underWay = new Map<string, NotifiedProblem>()
  let callOff: (() => void) | undefined
  let earliest = clock()
  let failures = 0

  async function sendWaiting(): Promise<void> {
    const batch = waiting
    waiting = new Map()
    underWay = batch
    earliest = clock() + interval
    try {
      await send([...batch.values()].sort(bySeverity))
      failures = 0
    } catch (error) {
      waiting = mergeAll(batch, waiting)
      failures++
      earliest = clock() + interval * Math.min(2 ** (failures - 1), LONGEST_BACKOFF)
      throw error
    } finally {
      underWay = new Map()
    }
  }

  function plan(): void {
    if (waiting.size === 0 || callOff || sending) return
    callOff = schedule(start, Math.max(0, earliest - clock()))
  }

  function start(): void {
    callOff = undefined
    sending = sendWaiting()
      .catch(failed)
      .finally(() => {
        sending = undefined
        plan()
      })
  }

  return {
    add(problem) {
      merge(waiting, problem)
      plan()
    },
    pending: () => [...mergeAll(new Map(underWay), waiting).values()],
    async flush() {
      await sending
      callOff?.()
      callOff = undefined
      while (waiting.size > 0) {
        const last = sendWaiting()
        sending = last.catch(() => {})
        await last.finally(() => {
          sending = undefined
        })
      }
    },
  }
}

function mergeAll(earlier: Map<string, NotifiedProblem>, later: Map<string, NotifiedProblem>): typeof earlier {
  for (const problem of later.values()) merge(earlier, problem)
  return earlier
}

/** Counts on; what was seen first stays the first. */
function merge(problems: Map<string, NotifiedProblem>, problem: NotifiedProblem): void {
  const known = problems.get(problem.id)
  problems.set(problem.id, known ? { ...known, hits: known.hits + problem.hits, ...placesOf(known, problem) } : problem)
}

function placesOf(...problems: readonly NotifiedProblem[]): Pick<NotifiedProblem, 'places'> {
  const places = [...new Set(problems.flatMap((problem) => problem.places ?? []))]
  return places.length === 0 ? {} : { places: places.slice(0, MOST_PLACES) }
}

/** The worst first; what is equally bad stays in the order in which it came. */
function bySeverity(a: NotifiedProblem, b: NotifiedProblem): number {
  return rank(a) - rank(b)
}

function rank({ severity }: NotifiedProblem): number {
  const labels: readonly string[] = SEVERITY_LABELS
  return labels.includes(severity) ? labels.indexOf(severity) : labels.length
}
