import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PreparedAnswer } from '../../catalogue/catalogue.js'
import { matchesTag } from './conditional.js'
import { chooseCoding, encode } from './content-coding.js'

export interface Caching {
  /** Whether the answer is for the bearer of a token alone. */
  readonly isPrivate: boolean
  readonly seconds: number
}

/**
 * Sends JSON that may be cached: with a tag by which a client asks whether it has changed, and compressed where that is wanted.
 * The tag is weak, because it is the same for every compression. The answer differs by token, and caches are told so.
 *
 * @example
 * return sendJson(request, reply, await releases.latest(viewer), { isPrivate: viewer !== undefined, seconds: 60 })
 */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
  { isPrivate, seconds }: Caching,
): Promise<FastifyReply> {
  const plain = Buffer.from(JSON.stringify(value))
  const tag = `W/"${hash('sha256', plain, 'base64url')}"`
  reply.headers({
    etag: tag,
    vary: 'Accept-Encoding, Authorization',
    'cache-control': `${isPrivate ? 'private' : 'public'}, max-age=${seconds}`,
  })
  if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  const accepted = request.headers['accept-encoding']
  const { bytes, coding } = await encode(plain, typeof accepted === 'string' ? accepted : undefined)
  if (coding !== undefined) reply.header('content-encoding', coding)
  return reply.type('application/json; charset=utf-8').send(bytes)
}

const decompress = promisify(brotliDecompress)

/**
 * Sends JSON that was compressed when it was made: nearly every client takes it as it is. It is kept by the client alone, which
 * asks each time whether it has changed: who signs in or out sees at once what is theirs.
 *
 * @example
 * return sendPrepared(request, reply, await catalogue.list(undefined))
 */
export async function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, brotli }: PreparedAnswer,
): Promise<FastifyReply> {
  reply.headers({ etag: tag, vary: 'Accept-Encoding, Authorization, Cookie', 'cache-control': 'private, no-cache' })
  if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.type('application/json; charset=utf-8')
  const header = request.headers['accept-encoding']
  const accepted = typeof header === 'string' ? header : undefined
  const isAsItIs = chooseCoding(accepted) === 'br'
  const { bytes, coding } = isAsItIs
    ? { bytes: Buffer.from(brotli.buffer, brotli.byteOffset, brotli.length), coding: 'br' as const }
    : await encode(await decompress(brotli), accepted)
  if (coding !== undefined) reply.header('content-encoding', coding)
  return reply.send(bytes)
}
