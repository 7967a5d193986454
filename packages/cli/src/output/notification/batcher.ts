import { SEVERITY_LABELS } from '@omen/engine'
import { MOST_PLACES, type NotifiedProblem } from './message.js'

export interface NotifierOptions {
  /** Sends one message; rejects if it could not be delivered. */
  readonly send: (problems: readonly NotifiedProblem[]) => Promise<void>
  /** A monotonic clock, in milliseconds. */
  readonly clock: () => number
  /** Runs `work` later; the returned function cancels it. */
  readonly schedule: (work: () => void, milliseconds: number) => () => void
  /** The minimum time between two messages, in milliseconds; 30 s by default. */
  readonly interval?: number
  /** Called for each message that could not be delivered. Its problems are kept and sent with the next one. */
  readonly failed: (error: unknown) => void
}

/** Collects problems while a log is followed, and sends them in batches. */
export interface Notifier {
  add(problem: NotifiedProblem): void
  /** The problems that have not been delivered yet. */
  pending(): readonly NotifiedProblem[]
  /** Sends the remaining problems. Rejects if they could not be delivered. */
  flush(): Promise<void>
}

const INTERVAL = 30_000

/** After failures, the next attempt waits for up to this many intervals. */
const LONGEST_BACKOFF = 16

/**
 * Creates a notifier. The first problem is sent at once, together with others found in the same turn; after that at most one message
 * is sent per interval, with the detections of a problem added up. A message that could not be delivered is merged into the next
 * one. Memory is bounded by the number of rules, because there is one entry for each.
 *
 * @example
 * const notifier = createNotifier({ send, clock: () => performance.now(), schedule, failed })
 * notifier.add({ id: 'CRE-2026-0001', severity: 'critical', hits: 1, first })
 * await notifier.flush()
 */
export function createNotifier({ send, clock, schedule, interval = INTERVAL, failed }: NotifierOptions): Notifier {
  let waiting = new Map<string, NotifiedProblem>()
  let sending: Promise<void> | undefined
  let inFlight = new Map<string, NotifiedProblem>()
  let cancel: (() => void) | undefined
  let earliest = clock()
  let failures = 0

  async function sendWaiting(): Promise<void> {
    const batch = waiting
    waiting = new Map()
    inFlight = batch
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
      inFlight = new Map()
    }
  }

  function plan(): void {
    if (waiting.size === 0 || cancel || sending) return
    cancel = schedule(start, Math.max(0, earliest - clock()))
  }

  function start(): void {
    cancel = undefined
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
    pending: () => [...mergeAll(new Map(inFlight), waiting).values()],
    async flush() {
      await sending
      cancel?.()
      cancel = undefined
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

/** Adds up the hits of a problem and keeps the first time it was seen. */
function merge(problems: Map<string, NotifiedProblem>, problem: NotifiedProblem): void {
  const known = problems.get(problem.id)
  problems.set(problem.id, known ? { ...known, hits: known.hits + problem.hits, ...placesOf(known, problem) } : problem)
}

function placesOf(...problems: readonly NotifiedProblem[]): Pick<NotifiedProblem, 'places'> {
  const places = [...new Set(problems.flatMap((problem) => problem.places ?? []))]
  return places.length === 0 ? {} : { places: places.slice(0, MOST_PLACES) }
}

/** The most severe first; otherwise in the order of arrival. */
function bySeverity(a: NotifiedProblem, b: NotifiedProblem): number {
  return rank(a) - rank(b)
}

function rank({ severity }: NotifiedProblem): number {
  const labels: readonly string[] = SEVERITY_LABELS
  return labels.includes(severity) ? labels.indexOf(severity) : labels.length
}
