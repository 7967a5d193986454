import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../problem.js'
import type { Releases } from '../../releases/releases.js'
import { ignoreContentType, PACKAGE_LIMIT } from '../body.js'
import { requesterOf } from '../requester/address.js'
import { findReleaseReader } from '../requester/release-reader.js'
import { PUBLISH } from '../schemas/release-operations.js'
import type { Described } from './release-routes.js'

const HEADER = 'omen-signature'

/** An ECDSA signature on the curve P-256 in DER has 72 bytes at most. */
const SIGNATURE = /^[A-Za-z0-9+/_-]{10,100}={0,2}$/

export interface PublishRouteOptions {
  readonly releases: Pick<Releases, 'identify' | 'publish'>
  readonly described: Described
}

/** `PUT /v1/rules/<file>`: an organization publishes its own package. The body is streamed into the database. */
export async function addPublishRoute(app: FastifyInstance, options: PublishRouteOptions): Promise<void> {
  await app.register(async (scope) => {
    // The handler reads the body, after it has checked the requester.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.addHook('onRequest', ignoreContentType)
    scope.put<{ Params: { file: string } }>('/v1/rules/:file', {
      ...options.described(PUBLISH),
      handler: (request, reply) => publish(options, request, reply, request.params.file),
    })
  })
}

async function publish(
  { releases }: PublishRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
): Promise<FastifyReply> {
  const reader = await findReleaseReader(request, releases)
  if (reader === undefined) {
    throw new Problem(
      'missing_token',
      'Publishing needs a token with the scope rules:publish: -H "Authorization: Bearer omen_…". Your administrator or the operator issues it.',
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > PACKAGE_LIMIT) throw tooLarge()
  const { address, requestId } = requesterOf(request)
  const { outcome, announced } = await releases.publish(reader, {
    name,
    signature: signatureOf(request),
    body: bodyOf(request.raw),
    detail: { address, request_id: requestId },
  })
  return reply.code(outcome === 'published' ? 201 : 200).send(announced)
}

function signatureOf({ headers }: FastifyRequest): Buffer {
  const written = headers[HEADER]
  if (typeof written === 'string' && SIGNATURE.test(written.trim())) return Buffer.from(written.trim(), 'base64')
  throw new Problem(
    'signature_rejected',
    'Send the signature of the package in base64: -H "Omen-Signature: $(base64 -w0 <package>.sig)".',
  )
}

/** The bytes as they arrive. A client that disconnects is not a failure of the service. */
async function* bodyOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of message) yield piece as Buffer
  } catch (error) {
    throw new Problem('bad_request', 'The body ended before it was complete.', { cause: error })
  }
}

function tooLarge(): Problem {
  return new Problem('body_too_large', `A package has at most ${PACKAGE_LIMIT / 1024 / 1024} MiB.`)
}
