import type { Readable } from 'node:stream'

/** A read-only connection to the API server of a cluster. */
export interface Api {
  /**
   * Requests a path with its query. Resolves with the body as a stream; rejects with a `ApiError` for an error response, and with an
   * `Unreachable` without a response.
   */
  get(path: string, signal: AbortSignal): Promise<Readable>
  /** How the server is reached, for the log: `kubectl proxy`, `kubectl get --raw`, `service account`. */
  readonly transport: string
  /** The number of concurrent requests, if it must be lower than usual. */
  readonly maxRequests?: number
  /** Ends all requests at once. */
  close(): Promise<void>
}

/** An error response of the API server: its `Status` object. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status: 401, 403, 404, 410, 429 … */
  readonly status: number
  /** The reason in the `Status` object: `NotFound`, `Forbidden` … */
  readonly reason: string
  /** Milliseconds to wait before a retry, if the server says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, reason: string, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.reason = reason
    this.retryAfter = retryAfter
  }
}

/** There is no response of an API server. The message is that of the client; `explainUnreachable` explains it. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** The connection was closed before the response: the server restarts, or has just closed an idle connection. */
export class ConnectionClosed extends Unreachable {}

/** A `Status` object is far shorter. */
const MAX_ERROR_LENGTH = 64 * 1024

/** Reads the body of an error response. */
export async function readErrorResponse(
  status: number,
  body: AsyncIterable<Uint8Array>,
  retryAfter?: string,
): Promise<Error> {
  const text = await readText(body, MAX_ERROR_LENGTH).catch(() => '')
  return toApiError(status, text, retryAfter)
}

/**
 * Turns an error response into an error. The API server sends a `Status` object; any other body comes from a program in between:
 * `kubectl proxy` reports in plain text that it cannot reach the server.
 */
export function toApiError(status: number, text: string, retryAfter?: string): Error {
  const read = readStatus(text)
  if (read) return new ApiError(status, read.reason, read.message, millisecondsOf(retryAfter) ?? read.retryAfter)
  if (status === 401) return new ApiError(401, 'Unauthorized', 'Unauthorized')
  if (status === 429) return new ApiError(429, 'TooManyRequests', 'too many requests', millisecondsOf(retryAfter))
  if (status === 404) return new ApiError(404, 'NotFound', text.trim() || 'not found')
  const message = text.trim() || `HTTP ${status}`
  return CONNECTION_CLOSED.test(message) ? new ConnectionClosed(message) : new Unreachable(message)
}

/** How `kubectl proxy` reports that the server closed the connection before the response. */
const CONNECTION_CLOSED = /^(?:unexpected )?EOF$|: (?:connection reset by peer|broken pipe)$/

interface ReadStatus {
  readonly reason: string
  readonly message: string
  readonly retryAfter: number | undefined
}

function readStatus(text: string): ReadStatus | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const { kind, reason, message, details } = JSON.parse(text)
    if (kind !== 'Status') return undefined
    const seconds = details?.retryAfterSeconds
    return {
      reason: typeof reason === 'string' ? reason : '',
      message: typeof message === 'string' ? message : '',
      retryAfter: typeof seconds === 'number' ? seconds * 1000 : undefined,
    }
  } catch {
    return undefined
  }
}

function millisecondsOf(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined
}

/** Reads a body as a string; rejects if it has more than `limit` bytes. */
export async function readText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > limit) throw new Unreachable(`a response of more than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
