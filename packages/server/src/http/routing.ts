import './fastify.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.js'
import type { Settings } from '../settings/settings.js'
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

/** The three addresses of the service. */
export type Role = 'onboard' | 'base' | 'app'

export type Addresses = Pick<Settings, 'onboardUrl' | 'baseUrl' | 'appUrl'>

/** Says where a path of a role is to be found when the Host of a request belongs to another one; undefined when all is well. */
export type FindRightAddress = (role: Role, host: string) => string | undefined

interface Address {
  readonly role: Role
  readonly url: string
  readonly protocol: string
  readonly host: string
  readonly hostname: string
}

/**
 * Tells the hosts of the service apart. A Host that is none of the three (an address, a forwarded port, a health check) reaches
 * everything: nothing of an answer is made from the Host, so there is nothing to protect.
 *
 * @example
 * const rightAddress = createHosts({ onboardUrl: 'https://start.acme.com', baseUrl: 'https://omen.acme.com', appUrl: 'https://omen.acme.com' })
 * rightAddress('onboard', 'omen.acme.com') // https://start.acme.com
 */
export function createHosts({ onboardUrl, baseUrl, appUrl }: Addresses): FindRightAddress {
  const addresses = Object.entries({ onboard: onboardUrl, base: baseUrl, app: appUrl }).map(([role, url]): Address => {
    const { protocol, host, hostname } = new URL(url)
    return { role: role as Role, url, protocol, host, hostname }
  })
  const first = addresses[0]!
  if (addresses.every(({ host }) => host === first.host)) return () => undefined
  // Nearly every request names its host as it is configured: those need no parsing.
  const asConfigured = new Map(addresses.map(({ host }) => [host, meantBy(host, addresses)]))
  return (role, host) => {
    const meant = asConfigured.get(host) ?? meantBy(host, addresses)
    if (meant.length === 0 || meant.some((address) => address.role === role)) return undefined
    return addresses.find((address) => address.role === role)!.url
  }
}

/** By host and port; a proxy may have put another port there, so by the name alone when that finds nothing. */
function meantBy(written: string, addresses: readonly Address[]): readonly Address[] {
  const exact = addresses.filter(({ protocol, host }) => parseHost(written, protocol)?.host === host)
  if (exact.length > 0) return exact
  return addresses.filter(({ protocol, hostname }) => parseHost(written, protocol)?.hostname === hostname)
}

function parseHost(written: string, protocol: string): URL | undefined {
  const host = written.replace(/\.(?=:\d+$|$)/, '')
  // A Host is no place for anything but a name and a port.
  if (/[\s/?#@\\]/.test(host)) return undefined
  const url = `${protocol}//${host}`
  return URL.canParse(url) ? new URL(url) : undefined
}
