import './fastify.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.js'
import type { Settings } from '../settings/settings.js'
import { type Notice, sendNotice, wantsPage } from './pages/notice-page.js'

/** Requests whose address cannot be decoded are routed here, so that they are answered and logged like any other. */
const MALFORMED = '/malformed'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The address to route a request by: its own, unless it cannot be decoded. */
export function routableUrl({ url = '/' }: { readonly url?: string | undefined }): string {
  try {
    decodeURIComponent(url.split('?', 1)[0]!)
    return url
  } catch {
    return MALFORMED
  }
}

/** Rejects malformed requests, and those for another host, an unknown address or an unknown method, before a route runs. */
export function addRouting(app: FastifyInstance, addresses: Addresses, docsUrl: string): void {
  const otherAddress = createHosts(addresses)
  app.addHook('onRequest', async (request, reply) => {
    const { raw, url, originalUrl, routeOptions } = request
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new Problem('bad_request', 'The request has no Host header.')
    }
    if (url !== originalUrl) {
      throw new Problem('bad_request', 'The address has a % that is not followed by two hexadecimal digits of UTF-8.')
    }
    if (request.is404) return answerUnrouted(app, request, reply, docsUrl)
    const { host = [] } = routeOptions.config
    const others = [host].flat().map((role) => otherAddress(role, request.host))
    if (others.length > 0 && !others.includes(undefined)) {
      throw new Problem('not_found', `This address belongs to another host: use ${others[0]}.`)
    }
    return undefined
  })
}

/** Addresses below `/v1` are for programs, all others are pages. */
const isPage = (path: string) => !/^\/+v1(\/|$)/.test(path)

const NOTHING_HERE: Notice = {
  tone: 'bad',
  title: 'Page not found.',
  sentences: ['The address is mistyped, or the page was removed.'],
  link: { href: '/', text: 'To the start page' },
}

/** Answers before the body is read. The address is not repeated: it may contain a code. */
function answerUnrouted(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  docsUrl: string,
): FastifyReply {
  const path = request.url.split('?', 1)[0]!
  const known = path === '*' ? METHODS : METHODS.filter((method) => app.findRoute({ method, url: path }) !== null)
  if (known.length === 0 && isPage(path) && wantsPage(request)) return sendNotice(reply, 404, NOTHING_HERE)
  if (known.length === 0) throw new Problem('not_found', `There is nothing at this address. See ${docsUrl}.`)
  reply.header('allow', [...known, 'OPTIONS'].join(', '))
  if (request.method === 'OPTIONS') return reply.code(204).send()
  throw new Problem('method_not_allowed', `Use ${known.join(' or ')} here.`)
}

/** The three addresses of the service. */
export type Role = 'onboard' | 'base' | 'app'

export type Addresses = Pick<Settings, 'onboardUrl' | 'baseUrl' | 'appUrl'>

/** The address of a role if the Host of a request belongs to another role, otherwise undefined. */
export type FindOtherAddress = (role: Role, host: string) => string | undefined

interface Address {
  readonly role: Role
  readonly url: string
  readonly protocol: string
  readonly host: string
  readonly hostname: string
}

/**
 * Tells the hosts of the service apart. A Host that is none of the three (an IP address, a forwarded port, a health check) reaches
 * every route: no response is made from the Host, so there is nothing to protect.
 *
 * @example
 * const otherAddress = createHosts({ onboardUrl: 'https://start.acme.com', baseUrl: 'https://omen.acme.com', appUrl: 'https://omen.acme.com' })
 * otherAddress('onboard', 'omen.acme.com') // https://start.acme.com
 */
export function createHosts({ onboardUrl, baseUrl, appUrl }: Addresses): FindOtherAddress {
  const addresses = Object.entries({ onboard: onboardUrl, base: baseUrl, app: appUrl }).map(([role, url]): Address => {
    const { protocol, host, hostname } = new URL(url)
    return { role: role as Role, url, protocol, host, hostname }
  })
  return (role, host) => {
    const matching = matchesOf(host, addresses)
    if (matching.length === 0 || matching.some((address) => address.role === role)) return undefined
    return addresses.find((address) => address.role === role)!.url
  }
}

/** Compares host and port; if nothing matches, the name alone, because a proxy may change the port. */
function matchesOf(written: string, addresses: readonly Address[]): readonly Address[] {
  const exact = addresses.filter(({ protocol, host }) => parseHost(written, protocol)?.host === host)
  if (exact.length > 0) return exact
  return addresses.filter(({ protocol, hostname }) => parseHost(written, protocol)?.hostname === hostname)
}

function parseHost(written: string, protocol: string): URL | undefined {
  const host = written.replace(/\.(?=:\d+$|$)/, '')
  // A Host header contains a name and a port, nothing else.
  if (/[\s/?#@\\]/.test(host)) return undefined
  const url = `${protocol}//${host}`
  return URL.canParse(url) ? new URL(url) : undefined
}
