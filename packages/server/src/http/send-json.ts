import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encode } from './content-coding.js'
import { matchesTag } from './entity-tag.js'

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
