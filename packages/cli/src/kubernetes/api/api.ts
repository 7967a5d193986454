import type { Readable } from 'node:stream'

/** A way to the API server of a cluster. Only reads: nothing here changes anything in it. */
export interface Api {
  /**
   * Asks for a path, with its query. Answers with the body as it comes; rejects with a `Refused` when the server refuses, and
   * with an `Unreachable` when there is no answer.
   */
  get(path: string, signal: AbortSignal): Promise<Readable>
  /** Who answers, for the log: `kubectl proxy`, `kubectl`, `service account`. */
  readonly way: string
  /** So many requests at a time are wise, where that is fewer than usual. */
  readonly most?: number
  /** Lets go of everything at once, be it over or not. */
  close(): Promise<void>
}

/** The server's no, as its `Status` object has it. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** The HTTP status: 401, 403, 404, 410, 429 … */
  readonly status: number
  /** The word of the server: `NotFound`, `Forbidden` … */
  readonly reason: string
  /** Milliseconds that the server wants to be left alone. */
  readonly retryAfter: number | undefined

  constructor(status: number, reason: string, message: string, retryAfter?: number) {
    super(message)
    this.status = status
    this.reason = reason
    this.retryAfter = retryAfter
  }
}

/** No answer of an API server: the message is what the client says about it, which is for `explainUnreachable`. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** The connection was there, and closed before an answer began: a server that restarts, or one that had just stopped waiting. */
export class HungUp extends Unreachable {}

/** A refusal is read up to here: a `Status` is far shorter, and what is longer is none. */
const LONGEST_REFUSAL = 64 * 1024

/** Reads the answer that is a refusal. */
export async function readRefusal(
  status: number,
  body: AsyncIterable<Uint8Array>,
  retryAfter?: string,
): Promise<Error> {
  const text = await readText(body, LONGEST_REFUSAL).catch(() => '')
  return refusalOf(status, text, retryAfter)
}

/**
 * What an answer that is no 200 says. The API server answers with a `Status` object; anything else comes from something on
 * the way: `kubectl proxy` tells in plain text that it cannot reach the server.
 */
export function refusalOf(status: number, text: string, retryAfter?: string): Error {
  const read = readStatus(text)
  if (read) return new Refused(status, read.reason, read.message, millisecondsOf(retryAfter) ?? read.retryAfter)
  if (status === 401) return new Refused(401, 'Unauthorized', 'Unauthorized')
  if (status === 429) return new Refused(429, 'TooManyRequests', 'too many requests', millisecondsOf(retryAfter))
  if (status === 404) return new Refused(404, 'NotFound', text.trim() || 'not found')
  const said = text.trim() || `HTTP ${status}`
  return HUNG_UP.test(said) ? new HungUp(said) : new Unreachable(said)
}

/** How `kubectl proxy` words that the server closed the connection before it answered. */
const HUNG_UP = /^(?:unexpected )?EOF$|: (?:connection reset by peer|broken pipe)$/

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

/** Reads a body as text, up to a limit; longer ones reject. */
export async function readText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > limit) throw new Unreachable(`an answer of more than ${limit} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
