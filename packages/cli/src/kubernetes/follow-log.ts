import { type Chunks, readChunks } from '../sources/chunks.js'
import type { Data } from '../sources/open-data.js'
import { Missing } from '../sources/origin.js'
import { createStreamReader } from '../sources/stream-reader.js'
import { ApiError, Unreachable } from './api/api.js'
import { type ApiDeps, requestJson } from './api/requests.js'
import { readPod } from './pod.js'
import { type ContainerLog, type LogOptions, linesHaveTimes, logPath } from './read-log.js'
import { createTimestampFilter, type LastLine, MAX_HELD, type TimestampFilter } from './timestamp-filter.js'

/** The pause before the next request, which doubles while nothing is new. */
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 15_000

const CHUNK = 64 * 1024

/** A line is held back until its end has arrived; a longer one may be passed on in two parts. */
const MAX_HELD_LINE = 256 * 1024

const LINE_FEED = 10

/** Whether the log of a container can continue, and the number of restarts if it is known. */
interface ContainerState {
  readonly status: 'deleted' | 'finished' | 'running'
  readonly restarts?: number
}

/**
 * Follows the log of a container until its pod ends, through broken connections and restarts, without losing or repeating a line. The
 * timestamps of the container runtime show where to continue.
 *
 * @example
 * const data = followLog(deps, { namespace: 'shop', pod: 'web-1', container: 'app', previous: false }, options)
 */
export function followLog(deps: ApiDeps, place: ContainerLog, options: LogOptions): Data {
  const closing = new AbortController()
  const signal = AbortSignal.any([deps.signal, closing.signal])
  const read = readChunks(linesOf({ ...deps, signal }, place, options))
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

/** The complete lines of a log, through all restarts of the container. */
async function* linesOf(deps: ApiDeps, place: ContainerLog, options: LogOptions): Chunks {
  const { signal, wait } = deps
  const { since, until } = options
  const strip = (await unlessTemporary(deps, () => linesHaveTimes(deps, place, options))) ?? false
  let after: LastLine | undefined
  let { restarts } = place
  let pause = FIRST_WAIT_MS
  while (!signal.aborted) {
    const state = await stateOf(deps, place)
    if (state.status === 'deleted') return
    const before = after
    // The last lines before a restart are in the previous log.
    const hasRestarted = restarts !== undefined && (state.restarts ?? 0) > restarts
    for (const previous of hasRestarted ? [true, false] : [false]) {
      const filter = createTimestampFilter({ since, until, strip, after })
      const limits = after ? { since: after.time, tail: undefined } : options
      const follow = !previous && state.status === 'running'
      yield* wholeLines(deps, logPath({ ...place, previous }, { ...limits, follow }, true), filter)
      after = filter.last
      if (filter.isOver) return
    }
    restarts = state.restarts ?? restarts
    if (state.status === 'finished') return
    pause = after === before ? Math.min(pause * 2, MAX_WAIT_MS) : FIRST_WAIT_MS
    await wait(pause, signal)
  }
}

/** The lines of one response. An incomplete last line is dropped, because the next request repeats it. */
async function* wholeLines({ api, signal }: ApiDeps, path: string, filter: TimestampFilter): Chunks {
  const stream = await unlessTemporary({ signal }, () => api.get(path, signal))
  if (!stream) return
  const reader = createStreamReader(stream)
  const stop = () => stream.destroy()
  signal.addEventListener('abort', stop, { once: true })
  const chunk = new Uint8Array(CHUNK)
  const buffer = new Uint8Array(CHUNK + MAX_HELD)
  let held: Uint8Array = new Uint8Array()
  try {
    for (;;) {
      const count = await reader.read(chunk).catch(() => 0)
      if (count === 0) return
      const received = Buffer.concat([held, buffer.subarray(0, filter.take(chunk.subarray(0, count), buffer))])
      const end = received.length > MAX_HELD_LINE ? received.length : received.lastIndexOf(LINE_FEED) + 1
      held = received.subarray(end)
      if (end > 0) yield received.subarray(0, end)
      if (filter.isOver) return
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stream.destroy()
  }
}

/** Errors that are normal while a container starts, restarts or ends, and while a server restarts. */
const TEMPORARY: ReadonlySet<number> = new Set([400, 404, 429, 500, 502, 503, 504])

async function unlessTemporary<T>({ signal }: Pick<ApiDeps, 'signal'>, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const isTemporary = error instanceof Unreachable || (error instanceof ApiError && TEMPORARY.has(error.status))
    if (isTemporary || error instanceof Missing || signal.aborted) return undefined
    throw error
  }
}

async function stateOf(deps: ApiDeps, { namespace, pod: name, container }: ContainerLog): Promise<ContainerState> {
  try {
    const pod = readPod(await requestJson(deps, `/api/v1/namespaces/${namespace}/pods/${name}`))
    const known = pod?.containers.find((one) => one.name === container)
    if (!pod || !known) return { status: 'deleted' }
    const isFinished = ['Succeeded', 'Failed'].includes(pod.phase) || known.isFinished
    return { status: isFinished ? 'finished' : 'running', restarts: known.restarts }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { status: 'deleted' }
    if (error instanceof Unreachable || deps.signal.aborted) return { status: 'running' }
    throw error
  }
}
