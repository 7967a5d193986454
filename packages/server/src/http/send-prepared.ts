import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PreparedAnswer } from '../catalogue/catalogue.js'
import { chooseCoding, encode } from './content-coding.js'
import { matchesTag } from './entity-tag.js'

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
