import { type Chunks, readChunks } from '../sources/chunks.js'
import type { Data } from '../sources/open-data.js'
import { Missing } from '../sources/origin.js'
import { createStreamReader } from '../sources/stream-reader.js'
import { Refused, Unreachable } from './api/api.js'
import { type Asking, askForJson } from './api/ask.js'
import { readPod } from './pod.js'
import { type LogOptions, type LogPlace, logPath, tellsTime } from './read-log.js'
import { createStampFilter, type LastLine, MOST_HELD, type StampFilter } from './stamps.js'

/** After a stream has ended, it is asked for again after so long: and ever later while nothing comes. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

/** So much is read at a time. */
const PIECE = 64 * 1024

/** A line is held back until its end has come; one that is longer is not, and may be read in two pieces. */
const LONGEST_HELD = 256 * 1024

const LINE_FEED = 10

/** How a container is: whether its log can go on, and how often it was started anew, where that is known. */
interface Condition {
  readonly is: 'gone' | 'over' | 'alive'
  readonly restarts?: number
}

/**
 * Follows the log of a container for as long as its pod lives: over broken connections and restarts, without losing a line or
 * reading one twice. The times that the runtime gives its lines tell how far it came.
 *
 * @example
 * const data = followLog(asking, { namespace: 'shop', pod: 'web-1', container: 'app', previous: false }, options)
 */
export function followLog(asking: Asking, place: LogPlace, options: LogOptions): Data {
  const closing = new AbortController()
  const signal = AbortSignal.any([asking.signal, closing.signal])
  const read = readChunks(linesOf({ ...asking, signal }, place, options))
  let taken = 0
  return {
    compression: undefined,
    size: undefined,
    file: undefined,
    taken: () => taken,
    async read(into) {
      const count = await read(into)
      taken += count
      return count
    },
    async close() {
      closing.abort()
    },
  }
}

/** The whole lines of a log as they come, through all instances of the container. */
async function* linesOf(asking: Asking, place: LogPlace, options: LogOptions): Chunks {
  const { signal, wait } = asking
  const { since, until } = options
  const strip = (await quietly(asking, () => tellsTime(asking, place, options))) ?? false
  let after: LastLine | undefined
  let restarts: number | undefined
  let pause = FIRST_WAIT_MS
  while (!signal.aborted) {
    const condition = await conditionOf(asking, place)
    if (condition.is === 'gone') return
    const before = after
    // What the instance before wrote after the connection broke is in its own log.
    const isAnew = restarts !== undefined && (condition.restarts ?? 0) > restarts
    for (const previous of isAnew ? [true, false] : [false]) {
      const filter = createStampFilter({ since, until, strip, after })
      const limits = after ? { since: after.time, tail: undefined } : options
      const follow = !previous && condition.is === 'alive'
      yield* wholeLines(asking, logPath({ ...place, previous }, { ...limits, follow }, true), filter)
      after = filter.last
      if (filter.isOver) return
    }
    restarts = condition.restarts ?? restarts
    if (condition.is === 'over') return
    pause = after === before ? Math.min(pause * 2, LONGEST_WAIT_MS) : FIRST_WAIT_MS
    await wait(pause, signal)
  }
}

/** The lines of one answer, until it ends or breaks off. What has no end then is left out: it comes again. */
async function* wholeLines({ api, signal }: Asking, path: string, filter: StampFilter): Chunks {
  const stream = await quietly({ signal }, () => api.get(path, signal))
  if (!stream) return
  const reader = createStreamReader(stream)
  const stop = () => stream.destroy()
  signal.addEventListener('abort', stop, { once: true })
  const piece = new Uint8Array(PIECE)
  const room = new Uint8Array(PIECE + MOST_HELD)
  let held: Uint8Array = new Uint8Array()
  try {
    for (;;) {
      const count = await reader.read(piece).catch(() => 0)
      if (count === 0) return
      const came = Buffer.concat([held, room.subarray(0, filter.take(piece.subarray(0, count), room))])
      const end = came.length > LONGEST_HELD ? came.length : came.lastIndexOf(LINE_FEED) + 1
      held = came.subarray(end)
      if (end > 0) yield came.subarray(0, end)
      if (filter.isOver) return
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
  }
}

/** Refusals that pass while a container starts, restarts or goes, and servers that are not there for a while. */
const PASSING: ReadonlySet<number> = new Set([400, 404, 429, 500, 502, 503, 504])

async function quietly<T>({ signal }: Pick<Asking, 'signal'>, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const passes = error instanceof Unreachable || (error instanceof Refused && PASSING.has(error.status))
    if (passes || error instanceof Missing || signal.aborted) return undefined
    throw error
  }
}

/** Looks at the pod: whether anything more can come of the container. */
async function conditionOf(asking: Asking, { namespace, pod: name, container }: LogPlace): Promise<Condition> {
  try {
    const pod = readPod(await askForJson(asking, `/api/v1/namespaces/${namespace}/pods/${name}`))
    const known = pod?.containers.find((one) => one.name === container)
    if (!pod || !known) return { is: 'gone' }
    const isOver = ['Succeeded', 'Failed'].includes(pod.phase) || known.isOver
    return { is: isOver ? 'over' : 'alive', restarts: known.restarts }
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return { is: 'gone' }
    if (error instanceof Unreachable || asking.signal.aborted) return { is: 'alive' }
    throw error
  }
}
