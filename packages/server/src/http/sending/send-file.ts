import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../problem.js'
import type { ServedFile } from '../../releases/releases.js'
import { matchesTag, readByteRange } from './conditional.js'

/** A file never changes under its name, which contains its version and often its hash. */
const FOREVER = 'max-age=31536000, immutable'

const TYPES: readonly (readonly [ending: string, type: string])[] = [
  ['.sha256', 'text/plain; charset=utf-8'],
  ['.sig', 'application/octet-stream'],
  ['.gz', 'application/gzip'],
]

/** One row of the database at a time, with at most one waiting for the client. */
const STREAM = { objectMode: false, highWaterMark: 1 } as const

/**
 * Sends a file, or the requested range of it, as it is read from the database: only a small part of it is in memory.
 *
 * @example
 * return sendFile(request, reply, file)
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile): FastifyReply {
  const tag = `"${file.tag}"`
  const headers = {
    etag: tag,
    'accept-ranges': 'bytes',
    'cache-control': `${file.isPrivate ? 'private' : 'public'}, ${FOREVER}`,
    ...(file.isPrivate && { vary: 'Authorization' }),
  }
  if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).headers(headers).send()
  const range = requestedRange(request, tag, file.size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.size}`)
    throw new Problem(
      'range_not_satisfiable',
      `The file has ${file.size} bytes, and the range is empty or starts after them.`,
    )
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.size } : range
  reply.headers({ ...headers, 'content-length': end - start }).type(typeOf(file.name))
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${file.size}`)
  if (request.method === 'HEAD') return reply.send()
  return reply.send(Readable.from(file.read(start, end), STREAM))
}

/** A range counts only for GET, and with `If-Range` only if the client has the beginning of the same file. */
function requestedRange(request: FastifyRequest, tag: string, size: number): ReturnType<typeof readByteRange> {
  const ifRange = request.headers['if-range']
  const isSame = ifRange === undefined || ifRange === tag
  return request.method === 'GET' && isSame ? readByteRange(request.headers.range, size) : 'whole'
}

function typeOf(name: string): string {
  return TYPES.find(([ending]) => name.endsWith(ending))?.[1] ?? 'application/octet-stream'
}
