import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../problem.js'

/** Larger than any message of the API. */
export const BODY_LIMIT = 64 * 1024

/** The limit of a rule package, the only body that is not a message. */
export const PACKAGE_LIMIT = 16 * 1024 * 1024

/**
 * A body that is too large is read up to this size before the response: a client that is still sending when the connection closes
 * often never reads the response. The connection of an even larger body is cut off.
 */
const DRAIN_LIMIT = 1024 * 1024

/** Some editors on Windows write it at the start of a file. */
const BYTE_ORDER_MARK = '\ufeff'

const EXAMPLE = 'Send a JSON object, such as {"domain": "acme.com"}'

/** Called once, with the bytes of a body or with the reason why there are none. */
export type BodyRead = (error: Problem | null, bytes?: Buffer) => void

/** Reads a body up to the limit. Reports a `Problem` if the body is larger, or if the client disconnects. */
export function readBody(stream: Readable, headers: IncomingHttpHeaders, done: BodyRead): void {
  const announced = Number(headers['content-length'] ?? 0)
  if (announced > DRAIN_LIMIT || (announced > BODY_LIMIT && headers.expect !== undefined)) {
    done(tooLarge())
    return
  }
  let chunks: Buffer[] = []
  let size = 0
  let isDone = false
  const finish: BodyRead = (error, bytes) => {
    if (isDone) return
    isDone = true
    chunks = []
    done(error, bytes)
  }
  const onDisconnect = () => finish(new Problem('bad_request', 'The body ended before it was complete.'))
  stream.on('data', (chunk: Buffer) => {
    if (isDone) return
    size += chunk.length
    if (size <= BODY_LIMIT) chunks.push(chunk)
    else chunks = []
    if (size > DRAIN_LIMIT) finish(tooLarge())
  })
  stream.on('end', () => {
    if (size > BODY_LIMIT) finish(tooLarge())
    else finish(null, Buffer.concat(chunks))
  })
  stream.on('error', onDisconnect)
  stream.on('close', onDisconnect)
}

function tooLarge(): Problem {
  return new Problem('body_too_large', `The body has more than ${BODY_LIMIT} bytes. Send only the documented fields.`)
}

/** The `onRequest` hook of routes with a body. Fastify would reject a Content-Type that it cannot parse; it does not matter here. */
export async function ignoreContentType(request: FastifyRequest): Promise<void> {
  delete request.raw.headers['content-type']
}

/** The `preValidation` hook of routes with a JSON body. */
export async function readJsonBody(request: FastifyRequest): Promise<void> {
  request.body = parseJson((request.body as Buffer | undefined) ?? Buffer.alloc(0), request.headers)
}

/**
 * Parses the bytes of a body as JSON. Throws a `Problem` that says what is wrong and never quotes the body, which may contain a
 * secret.
 *
 * @example
 * parseJson(Buffer.from('{"domain":"acme.com"}'), {}) // { domain: 'acme.com' }
 */
export function parseJson(bytes: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): unknown {
  if (encoding !== undefined && encoding.trim() !== '' && encoding.trim().toLowerCase() !== 'identity') {
    throw new Problem('invalid_json', 'The body is compressed. Send it without Content-Encoding.')
  }
  if (bytes.length === 0) throw new Problem('invalid_json', `The body is empty. ${EXAMPLE}.`)
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (text.trim() === '') throw new Problem('invalid_json', `The body contains only spaces. ${EXAMPLE}.`)
    throw new Problem('invalid_json', `The body is not JSON${positionOf(error, text)}. ${EXAMPLE}.`)
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not UTF-8. Save it as UTF-8 and send it again.')
  const text = bytes.toString('utf8')
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

/** V8 quotes a piece of the body, which may be a secret; only the position is taken from its message. */
function positionOf(error: unknown, text: string): string {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  if (position === undefined) return ''
  const before = text.slice(0, Number(position)).split('\n')
  return `: see line ${before.length}, column ${before.at(-1)!.length + 1}`
}

/**
 * The fields of a body: of a form, or of a JSON object whose values are strings. Any other body has no fields.
 *
 * @example
 * readForm(request).get('email') // 'alice@acme.com'
 */
export function readForm({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : ''
  if (!/^\s*\{/.test(text)) return new URLSearchParams(text.trim())
  try {
    const fields = Object.entries(JSON.parse(text) as object)
    return new URLSearchParams(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
  } catch {
    return new URLSearchParams()
  }
}

/** The query as it was sent, with every value of a repeated parameter. */
export function readQuery({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): URLSearchParams {
  const start = originalUrl.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1))
}

/** The trimmed value of a field, or undefined if it is missing or empty. */
export function fieldOf(fields: URLSearchParams, name: string): string | undefined {
  const value = fields.get(name)?.trim()
  return value === undefined || value === '' ? undefined : value
}
