import { setTimeout as pause } from 'node:timers/promises'
import { type Api, ApiError, ConnectionClosed, readText, Unreachable } from './api.js'

/** What a request to the cluster needs. */
export interface ApiDeps {
  readonly api: Api
  readonly signal: AbortSignal
  /** A timer, which tests replace. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** A page of pods has some megabytes. */
const MAX_JSON_LENGTH = 256 * 1024 * 1024

/** For a server that is busy or restarts. */
const MAX_TRIES = 5
const FIRST_WAIT_MS = 500
/** A longer `Retry-After` is shortened to this. */
const MAX_WAIT_MS = 30_000

/** A retry may help after these: too many requests, and a server that fails or restarts. */
const TEMPORARY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/**
 * Runs `work`, and repeats it after a pause if the failure is temporary.
 *
 * @example
 * const body = await withRetries(deps, () => api.get(path, signal))
 */
export async function withRetries<T>({ signal, wait }: Omit<ApiDeps, 'api'>, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isTemporary(error) || tries === MAX_TRIES || signal.aborted) throw error
      await wait(Math.min(retryAfter(error) ?? FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS), signal)
      signal.throwIfAborted()
    }
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof ConnectionClosed || (error instanceof ApiError && TEMPORARY.has(error.status))
}

function retryAfter(error: unknown): number | undefined {
  return error instanceof ApiError ? error.retryAfter : undefined
}

/** Requests an object. A response that is not JSON rejects with an `Unreachable`: it does not come from an API server. */
export async function requestJson(deps: ApiDeps, path: string): Promise<unknown> {
  const { api, signal } = deps
  return withRetries(deps, async () => {
    const text = await readText(await api.get(path, signal), MAX_JSON_LENGTH).catch((error: Error) => {
      // A connection that breaks during the response counts as closed before it.
      throw error instanceof Unreachable || signal.aborted
        ? error
        : new ConnectionClosed(error.message, { cause: error })
    })
    try {
      return JSON.parse(text)
    } catch {
      throw new Unreachable(`not JSON: ${text.slice(0, 200)}`)
    }
  })
}

/** Objects of a page, which has a few megabytes. */
const PAGE_SIZE = 250

/** A list that expires while it is read is started again. */
const MAX_STARTS = 3

/** More pages than any cluster has, against a server that never ends its list. */
const MAX_PAGES = 4000

/**
 * Lists objects page by page. Returns the result of `read` for each object, unless it is undefined.
 *
 * @example
 * const pods = await list(deps, '/api/v1/namespaces/shop/pods', { labelSelector: 'app=web' }, readPod)
 */
export async function list<T>(
  deps: ApiDeps,
  path: string,
  query: Readonly<Record<string, string>>,
  read: (item: unknown) => T | undefined,
): Promise<T[]> {
  for (let starts = 1; ; starts++) {
    try {
      return await listOnce(deps, path, query, read)
    } catch (error) {
      // HTTP 410: the first pages are too old to continue from.
      const isExpired = error instanceof ApiError && error.status === 410
      if (!isExpired || starts === MAX_STARTS) throw error
    }
  }
}

async function listOnce<T>(
  deps: ApiDeps,
  path: string,
  query: Readonly<Record<string, string>>,
  read: (item: unknown) => T | undefined,
): Promise<T[]> {
  const found: T[] = []
  let next = ''
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const parameters = new URLSearchParams({
      ...query,
      limit: String(PAGE_SIZE),
      ...(next !== '' && { continue: next }),
    })
    const page = readPage(await requestJson(deps, `${path}?${parameters}`))
    for (const item of page.items) {
      const one = read(item)
      if (one !== undefined) found.push(one)
    }
    if (page.next === '' || page.next === next) return found
    next = page.next
  }
  return found
}

function readPage(value: unknown): { readonly items: readonly unknown[]; readonly next: string } {
  const { items, metadata } = (value ?? {}) as { items?: unknown; metadata?: { continue?: unknown } }
  // Some servers send null for an empty list.
  if (items !== null && !Array.isArray(items)) throw new Unreachable('not a list of objects')
  const next = metadata?.continue
  return { items: items ?? [], next: typeof next === 'string' ? next : '' }
}

/** Waits for a number of milliseconds, or until the signal is aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => {})
}
