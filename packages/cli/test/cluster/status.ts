/** A refusal as the API server words it. */
export interface Refusal {
  readonly code: number
  readonly reason: string
  readonly message: string
  /** Seconds; also sent as `Retry-After`. */
  readonly retryAfter?: number
}

/** The reasons of the codes that a server of this kind gives. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/**
 * Makes a refusal.
 *
 * @example
 * refuse(404, 'pods "web" not found')
 */
export function refuse(code: number, message: string, retryAfter?: number): Refusal {
  return { code, reason: REASONS[code] ?? '', message, ...(retryAfter !== undefined && { retryAfter }) }
}

/** The `Status` object of a refusal. */
export function statusOf({ code, reason, message, retryAfter }: Refusal): object {
  const details = retryAfter === undefined ? {} : { details: { retryAfterSeconds: retryAfter } }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, ...details, code }
}
