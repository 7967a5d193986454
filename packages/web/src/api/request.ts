import { type Failure, NO_ANSWER, OFFLINE, readFailure, unreadable } from './failure.js'

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

export interface CallerOptions {
  /** The folder that the page was loaded from, with a slash at the end. */
  readonly base: string
  readonly fetch: typeof fetch
  readonly now: () => Date
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly token?: string
  readonly body?: unknown
  /** Lets the browser keep the answer, and ask whether it has changed. */
  readonly kept?: boolean
}

/** Makes a call. It never rejects: what goes wrong is part of the answer. */
export type MakeCall = <T>(request: Request, read: (body: unknown) => T | undefined) => Promise<Answer<T>>

/** Longer than the service gives itself: an answer that comes late is better than one that nobody heard. */
const LONGEST_CALL = 70_000

/**
 * Makes the way to the API beside the page.
 *
 * @example
 * const call = createCall({ base: document.baseURI, fetch, now: () => new Date() })
 * const answer = await call({ method: 'GET', path: 'v1/me' }, readMe)
 */
export function createCall({ base, fetch: send, now }: CallerOptions): MakeCall {
  return async ({ method, path, token, body, kept = false }, read) => {
    let response: Response
    try {
      response = await send(new URL(path, base).href, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        cache: kept ? 'no-cache' : 'no-store',
        credentials: 'same-origin',
        redirect: 'error',
        signal: AbortSignal.timeout(LONGEST_CALL),
      })
    } catch (error) {
      return failed(error instanceof DOMException && error.name === 'TimeoutError' ? NO_ANSWER : OFFLINE)
    }
    const answer = response.status === 204 ? null : await readJson(response)
    if (!response.ok) return failed(readFailure(response.status, answer, response.headers, now()))
    const value = read(answer)
    return value === undefined ? failed(unreadable()) : { ok: true, value }
  }
}

function failed(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

/** An address that may become a link. Anything else, `javascript:` above all, must not. */
export function isWebAddress(text: string): boolean {
  const scheme = URL.canParse(text) ? new URL(text).protocol : ''
  return scheme === 'https:' || scheme === 'http:'
}
