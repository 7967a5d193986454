import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.js'

/** No message of the service comes near it. */
export const BODY_LIMIT = 64 * 1024

/** A package of rules, which is the only body that is no message. */
export const PACKAGE_LIMIT = 16 * 1024 * 1024

/**
 * A body that is too large is read on up to here before it is refused: a client that is still sending when the connection closes
 * often never sees the answer. What is larger still is cut off.
 */
const DRAIN_LIMIT = 1024 * 1024

/** Some editors on Windows put it first. */
const BYTE_ORDER_MARK = '\ufeff'

const EXAMPLE = 'Send a JSON object, such as {"domain": "acme.com"}'

/** Told the bytes of a body, or why there are none. */
export type BodyRead = (error: Problem | null, bytes?: Buffer) => void

/** Reads a body up to the limit. Tells a `Problem` when it is larger, or when the client goes away. */
export function readBody(stream: Readable, headers: IncomingHttpHeaders, done: BodyRead): void {
  const announced = Number(headers['content-length'] ?? 0)
  if (announced > DRAIN_LIMIT || (announced > BODY_LIMIT && headers.expect !== undefined)) {
    done(tooLarge())
    return
  }
  let chunks: Buffer[] = []
  let size = 0
  let over = false
  // Listeners stay where they are: taking them away costs more than reading a body, and nothing comes after its end.
  const finish: BodyRead = (error, bytes) => {
    if (over) return
    over = true
    chunks = []
    done(error, bytes)
  }
  const onCut = () => {
    if (!over) finish(new Problem('bad_request', 'The body ended before it was complete.'))
  }
  stream.on('data', (chunk: Buffer) => {
    if (over) return
    size += chunk.length
    if (size <= BODY_LIMIT) chunks.push(chunk)
    else chunks = []
    if (size > DRAIN_LIMIT) finish(tooLarge())
  })
  stream.on('end', () => {
    if (size > BODY_LIMIT) finish(tooLarge())
    else finish(null, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
  })
  stream.on('error', onCut)
  stream.on('close', onCut)
}

function tooLarge(): Problem {
  return new Problem(
    'body_too_large',
    `The body has more than ${BODY_LIMIT} bytes. Send only the fields that are asked for.`,
  )
}

/**
 * Reads JSON from the bytes of a body, whatever its `Content-Type` says. Of a repeated key the last value counts, as everywhere in
 * JavaScript. Throws a `Problem` that says what is wrong and never shows the body, which may hold a secret.
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
    if (text.trim() === '') throw new Problem('invalid_json', `The body is blank. ${EXAMPLE}.`)
    throw new Problem('invalid_json', `The body is not JSON${placeOf(error, text)}. ${EXAMPLE}.`)
  }
}

/** The hook of routes with a JSON body, before it is validated. */
export async function readJsonBody(request: FastifyRequest): Promise<void> {
  request.body = parseJson((request.body as Buffer | undefined) ?? Buffer.alloc(0), request.headers)
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not UTF-8. Save it as UTF-8 and send it again.')
  const text = bytes.toString('utf8')
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
}

/** V8 shows a piece of the text, which may be a secret; only the place is taken from its message. */
function placeOf(error: unknown, text: string): string {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  if (position === undefined) return ''
  const before = text.slice(0, Number(position)).split('\n')
  return `: see line ${before.length}, column ${before.at(-1)!.length + 1}`
}

/** A type that cannot be read would be refused before anybody looks at the body: forms are read whatever it says. */
export async function ignoreType(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  delete request.raw.headers['content-type']
}

/**
 * The fields of a body: of a form, or of a JSON object whose values are texts. What is neither has no fields.
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

/** The query as it was sent: of a parameter that is there twice, both are seen. */
export function readQuery({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): URLSearchParams {
  const start = originalUrl.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1))
}

/** A field that is there and not blank. */
export function fieldOf(fields: URLSearchParams, name: string): string | undefined {
  const value = fields.get(name)?.trim()
  return value === undefined || value === '' ? undefined : value
}
