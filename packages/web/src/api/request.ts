import { NO_RESPONSE, OFFLINE, type RequestFailure, readFailure, UNREADABLE } from './failure.js'

/** What a request comes to. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: RequestFailure }

export interface ClientOptions {
  /** The folder that the page was loaded from, with a slash at the end. */
  readonly base: string
  readonly fetch: typeof fetch
  readonly now: () => Date
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly token?: string
  readonly body?: unknown
  /** The browser may store the response, and revalidates it before each use. */
  readonly cached?: boolean
}

/** Sends a request and reads the body of the response. It never rejects: a failure is part of the result. */
export type SendRequest = <T>(request: ApiRequest, read: (body: unknown) => T | undefined) => Promise<Result<T>>

/** Longer than the service's own limit, so that a late response is still received. */
const TIMEOUT_MS = 70_000

/**
 * Creates the function that sends requests to the API that the page was loaded from.
 *
 * @example
 * const send = createSender({ base: document.baseURI, fetch, now: () => new Date() })
 * const result = await send({ method: 'GET', path: 'v1/me' }, readMe)
 */
export function createSender({ base, fetch, now }: ClientOptions): SendRequest {
  return async ({ method, path, token, body, cached = false }, read) => {
    let response: Response
    try {
      response = await fetch(new URL(path, base).href, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        cache: cached ? 'no-cache' : 'no-store',
        credentials: 'same-origin',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch (error) {
      return failed(error instanceof DOMException && error.name === 'TimeoutError' ? NO_RESPONSE : OFFLINE)
    }
    const received: unknown = response.status === 204 ? null : await response.json().catch(() => undefined)
    if (!response.ok) return failed(readFailure(response.status, received, response.headers, now()))
    const value = read(received)
    return value === undefined ? failed(UNREADABLE) : { ok: true, value }
  }
}

function failed(failure: RequestFailure): { readonly ok: false; readonly failure: RequestFailure } {
  return { ok: false, failure }
}

/** Whether a string may become the target of a link. `javascript:` in particular must not. */
export function isWebUrl(url: string): boolean {
  const scheme = URL.canParse(url) ? new URL(url).protocol : ''
  return scheme === 'https:' || scheme === 'http:'
}
