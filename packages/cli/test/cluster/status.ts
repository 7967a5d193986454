/** An error of the API server. */
export interface StatusError {
  readonly code: number
  readonly reason: string
  readonly message: string
  /** Seconds; also sent as `Retry-After`. */
  readonly retryAfter?: number
}

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
 * Creates an error response.
 *
 * @example
 * statusError(404, 'pods "web" not found')
 */
export function statusError(code: number, message: string, retryAfter?: number): StatusError {
  return { code, reason: REASONS[code] ?? '', message, ...(retryAfter !== undefined && { retryAfter }) }
}

/** The `Status` object of an error. */
export function statusOf({ code, reason, message, retryAfter }: StatusError): object {
  const details = retryAfter === undefined ? {} : { details: { retryAfterSeconds: retryAfter } }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, ...details, code }
}
