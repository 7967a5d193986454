/** What is wrong with one field of a request. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** Why a call gave nothing: a problem that the server told, or that the page found out by itself. */
export interface Failure {
  /** A code of the API's error table, or one of `offline`, `no_answer`, `unreadable`. */
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly errors: readonly FieldError[]
  /** Seconds to wait before the next try. */
  readonly retryAfter?: number
  /** What the operator needs to find the request in the logs. */
  readonly requestId?: string
}

/** Without `Retry-After`, a minute: the window in which the service counts. */
const DEFAULT_WAIT = 60
/** A wait beyond an hour is a broken header, not advice. */
const LONGEST_WAIT = 3600

export const OFFLINE: Failure = {
  code: 'offline',
  title: 'The service cannot be reached',
  detail: 'Check the network connection, then try again. Nothing that you entered is lost.',
  errors: [],
}

export const NO_ANSWER: Failure = {
  code: 'no_answer',
  title: 'The service takes too long to answer',
  detail: 'Try again in a moment. Nothing that you entered is lost.',
  errors: [],
}

/**
 * Reads `Retry-After`: seconds, or a date.
 *
 * @example
 * retrySeconds('30', new Date()) // 30
 */
export function retrySeconds(header: string | null, now: Date): number {
  const text = header?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  if (!Number.isFinite(seconds)) return DEFAULT_WAIT
  return Math.min(Math.max(seconds, 1), LONGEST_WAIT)
}

/**
 * Makes a failure of an answer that is no success. Whatever stands between the page and the service may have answered in
 * its place, so nothing about the body is taken for granted.
 *
 * @example
 * readFailure(422, { code: 'discovery_failed', title: '…', detail: '…' }, headers, new Date()).code // 'discovery_failed'
 */
export function readFailure(status: number, body: unknown, headers: Headers, now: Date): Failure {
  const problem = isRecord(body) ? body : {}
  const known = typeof problem.code === 'string' && typeof problem.detail === 'string'
  const requestId = headers.get('x-request-id')
  return {
    code: known ? String(problem.code) : status === 429 ? 'rate_limited' : 'unreadable',
    title: typeof problem.title === 'string' && known ? problem.title : `The service answered with status ${status}`,
    detail: known ? String(problem.detail) : 'Try again in a moment. If it stays like this, tell the operator.',
    errors: known && Array.isArray(problem.errors) ? problem.errors.filter(isFieldError) : [],
    ...(status === 429 && { retryAfter: retrySeconds(headers.get('retry-after'), now) }),
    ...(status >= 500 && requestId !== null && { requestId }),
  }
}

/** The failure of an answer that is a success by its status, and yet not what was agreed. */
export function unreadable(): Failure {
  return {
    code: 'unreadable',
    title: 'The answer cannot be read',
    detail: 'Something between this page and the service changed the answer. Try again, or tell the operator.',
    errors: [],
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFieldError(value: unknown): value is FieldError {
  return isRecord(value) && typeof value.field === 'string' && typeof value.message === 'string'
}
