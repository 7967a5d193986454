import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PreparedResponse } from '../../catalogue/catalogue.js'
import { matchesTag } from './conditional.js'
import { chooseCoding, encode } from './content-coding.js'

export interface Caching {
  /** Whether the response is only for the requester. */
  readonly isPrivate: boolean
  readonly seconds: number
}

/**
 * Sends JSON that may be cached, with an entity tag, and compressed if the client accepts that. The tag is weak, because it is the
 * same for every content coding. `Vary` tells caches that the response depends on the token.
 *
 * @example
 * return sendJson(request, reply, await releases.latest(reader), { isPrivate: reader !== undefined, seconds: 60 })
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
 * Sends JSON that was compressed in advance; nearly every client accepts it in that form. Only the client may cache it, and must
 * revalidate it each time: a user who signs in or out sees the right rules at once.
 *
 * @example
 * return sendPrepared(request, reply, await catalogue.list(undefined))
 */
export async function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, brotli }: PreparedResponse,
): Promise<FastifyReply> {
  reply.headers({ etag: tag, vary: 'Accept-Encoding, Authorization, Cookie', 'cache-control': 'private, no-cache' })
  if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.type('application/json; charset=utf-8')
  const header = request.headers['accept-encoding']
  const accepted = typeof header === 'string' ? header : undefined
  const isAccepted = chooseCoding(accepted) === 'br'
  const { bytes, coding } = isAccepted
    ? { bytes: Buffer.from(brotli.buffer, brotli.byteOffset, brotli.length), coding: 'br' as const }
    : await encode(await decompress(brotli), accepted)
  if (coding !== undefined) reply.header('content-encoding', coding)
  return reply.send(bytes)
}
