import './fastify.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.js'
import { type Addresses, createHosts, type Role } from './hosts.js'
import { type Notice, sendNotice, wantsPage } from './pages/notice-page.js'

/** Where requests are sent whose address cannot be decoded, so that they are answered and logged like any other. */
const MALFORMED = '/malformed'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Gives the address to route by: the request's own, unless it cannot be decoded. */
export function routableUrl({ url = '/' }: { readonly url?: string | undefined }): string {
  if (!url.includes('%')) return url
  try {
    decodeURIComponent(url.split('?', 1)[0]!)
    return url
  } catch {
    return MALFORMED
  }
}

/** What is settled before a route runs: broken requests, wrong hosts, addresses and methods that do not exist. */
export function addRouting(app: FastifyInstance, addresses: Addresses, docsUrl: string): void {
  const rightAddress = createHosts(addresses)
  const forSeveral = (roles: readonly Role[], host: string) => {
    const found = roles.map((role) => rightAddress(role, host))
    return found.includes(undefined) ? undefined : found[0]
  }
  app.addHook('onRequest', async (request, reply) => {
    const { raw, url, originalUrl, routeOptions } = request
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new Problem('bad_request', 'The request has no Host header.')
    }
    if (url !== originalUrl) {
      throw new Problem('bad_request', 'The address has a % that is not followed by two hexadecimal digits of UTF-8.')
    }
    if (request.is404) return answerUnrouted(app, request, reply, docsUrl)
    const { host } = routeOptions.config
    const address =
      host && (typeof host === 'string' ? rightAddress(host, request.host) : forSeveral(host, request.host))
    if (address !== undefined) throw new Problem('not_found', `This call belongs to another host: use ${address}.`)
    return undefined
  })
}

/** Programs call what lies below `/v1`; the rest are pages. */
const isForPeople = (path: string) => !/^\/+v1(\/|$)/.test(path)

const NOTHING_HERE: Notice = {
  tone: 'bad',
  title: 'There is nothing here.',
  sentences: ['The address is mistyped, or what was here is gone.'],
  link: { href: '/', text: 'To the first page' },
}

/** Answers before the body is read. The address is not repeated: it may hold a code. */
function answerUnrouted(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  docsUrl: string,
): FastifyReply {
  const path = request.url.split('?', 1)[0]!
  const known = path === '*' ? METHODS : METHODS.filter((method) => app.findRoute({ method, url: path }) !== null)
  if (known.length === 0 && isForPeople(path) && wantsPage(request)) return sendNotice(reply, 404, NOTHING_HERE)
  if (known.length === 0) throw new Problem('not_found', `There is nothing at this address. What there is: ${docsUrl}.`)
  reply.header('allow', [...known, 'OPTIONS'].join(', '))
  if (request.method === 'OPTIONS') return reply.code(204).send()
  throw new Problem('method_not_allowed', `Use ${known.join(' or ')} here.`)
}
