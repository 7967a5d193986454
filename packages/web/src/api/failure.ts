import { isRecord } from './shape.js'

/** What is wrong with one field of a request. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** Why a request failed: as reported by the service, or as found by the page. */
export interface RequestFailure {
  /** A code of the API's error table, or one of `offline`, `no_response`, `unreadable`. */
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly errors: readonly FieldError[]
  /** Seconds to wait before the next attempt. */
  readonly retryAfter?: number
  /** Identifies the request in the logs of the service. */
  readonly requestId?: string
}

/** The wait in seconds without `Retry-After`: the service counts requests per minute. */
const DEFAULT_WAIT = 60
/** A longer wait means a broken header. */
const LONGEST_WAIT = 3600

export const OFFLINE: RequestFailure = {
  code: 'offline',
  title: 'Cannot reach the service',
  detail: 'Check your network connection, then try again. Nothing you entered is lost.',
  errors: [],
}

export const NO_RESPONSE: RequestFailure = {
  code: 'no_response',
  title: 'The service is not responding',
  detail: 'Try again in a moment. Nothing you entered is lost.',
  errors: [],
}

/** A response with a successful status whose body is not what the API promises. */
export const UNREADABLE: RequestFailure = {
  code: 'unreadable',
  title: 'Unexpected response',
  detail:
    'A proxy between this page and the service may have changed the response. Try again, or contact the operator.',
  errors: [],
}

/**
 * Reads `Retry-After`, which holds seconds or a date.
 *
 * @example
 * retrySeconds('30', new Date()) // 30
 */
export function retrySeconds(header: string | null, now: Date): number {
  const value = header?.trim() ?? ''
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now.getTime()) / 1000)
  if (!Number.isFinite(seconds)) return DEFAULT_WAIT
  return Math.min(Math.max(seconds, 1), LONGEST_WAIT)
}

/**
 * Reads the failure from a response with an error status. A proxy may have sent the response instead of the service, so the
 * body can be anything.
 *
 * @example
 * readFailure(422, { code: 'discovery_failed', title: '…', detail: '…' }, headers, new Date()).code // 'discovery_failed'
 */
export function readFailure(status: number, body: unknown, headers: Headers, now: Date): RequestFailure {
  const problem = isRecord(body) ? body : {}
  const known = typeof problem.code === 'string' && typeof problem.detail === 'string'
  const requestId = headers.get('x-request-id')
  return {
    code: known ? String(problem.code) : status === 429 ? 'rate_limited' : 'unreadable',
    title: typeof problem.title === 'string' && known ? problem.title : `The service responded with status ${status}`,
    detail: known ? String(problem.detail) : 'Try again in a moment. If this continues, contact the operator.',
    errors: known && Array.isArray(problem.errors) ? problem.errors.filter(isFieldError) : [],
    ...(status === 429 && { retryAfter: retrySeconds(headers.get('retry-after'), now) }),
    ...(status >= 500 && requestId !== null && { requestId }),
  }
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && typeof value.field === 'string' && typeof value.message === 'string'
}
