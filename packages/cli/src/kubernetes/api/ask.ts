import { type Api, HungUp, Refused, readText, Unreachable } from './api.js'

/** What asks the cluster, again where that helps. */
export interface Asking {
  readonly api: Api
  readonly signal: AbortSignal
  /** Waits; passed in, so that tests need not. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** One page of pods is some megabytes; what is far larger is no list of ours. */
const LONGEST_JSON = 256 * 1024 * 1024

/** A server that is busy or restarts is asked again so many times. */
const MOST_TRIES = 5
const FIRST_WAIT_MS = 500
/** Longer than this is not waited, whatever `Retry-After` says. */
const LONGEST_WAIT_MS = 30_000

/** What another try can help against: too many requests, and a server that is not quite there. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/**
 * Does something, and again after a while where the cluster asks for that.
 *
 * @example
 * const body = await insistently(asking, () => api.get(path, signal))
 */
export async function insistently<T>({ signal, wait }: Omit<Asking, 'api'>, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || tries === MOST_TRIES || signal.aborted) throw error
      await wait(Math.min(wantedPause(error) ?? FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS), signal)
      signal.throwIfAborted()
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof HungUp || (error instanceof Refused && PASSING.has(error.status))
}

function wantedPause(error: unknown): number | undefined {
  return error instanceof Refused ? error.retryAfter : undefined
}

/** Asks for an object. What is no JSON is an `Unreachable`: whoever answered is no API server. */
export async function askForJson(asking: Asking, path: string): Promise<unknown> {
  const { api, signal } = asking
  return insistently(asking, async () => {
    const text = await readText(await api.get(path, signal), LONGEST_JSON).catch((error: Error) => {
      // The connection ended in the middle: of no more use than one that ended before.
      throw error instanceof Unreachable || signal.aborted ? error : new HungUp(error.message, { cause: error })
    })
    try {
      return JSON.parse(text)
    } catch {
      throw new Unreachable(`not JSON: ${text.slice(0, 200)}`)
    }
  })
}
