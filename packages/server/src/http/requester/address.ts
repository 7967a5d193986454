import { BlockList, isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Caller } from '../../onboarding/onboarding.js'
import type { Visitor } from '../../sessions/sessions.js'

/** What proxies add to a request. Behind one that nobody told us to believe, everybody has its address. */
const MARKS_OF_A_PROXY = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/** Who makes a request. The address is the one of the connection, or what a trusted proxy says. */
export function callerOf(request: FastifyRequest): Caller {
  return { address: addressOf(request), requestId: request.id }
}

/** What a proxy forwards may be anything: what is no address gives way to the address of the connection. */
export function addressOf(request: FastifyRequest): string {
  return canonicalAddress(request.ip) ?? canonicalAddress(request.socket.remoteAddress) ?? 'unknown'
}

/**
 * An address in its one form: IPv4 in IPv6 as IPv4, without a zone. Undefined for what is none.
 *
 * @example
 * canonicalAddress('::ffff:203.0.113.7') // 203.0.113.7
 */
export function canonicalAddress(written: string | undefined): string | undefined {
  // Nearly every request, several times: the platform's check is twenty times as fast as parsing.
  if (written === undefined || isIPv4(written)) return written
  return parseAddress(written)?.toString()
}

/**
 * What one subscriber has: an IPv4 address, or an IPv6 /64, of which a single machine can use every address.
 *
 * @example
 * subscriberOf('2001:db8:1:2:3:4:5:6') // 2001:db8:1:2::/64
 */
export function subscriberOf(address: string): string {
  if (isIPv4(address)) return address
  const parsed = parseAddress(address)
  if (!(parsed instanceof ipaddr.IPv6)) return address
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

/**
 * Tells whether a request comes from one of some addresses or networks, and not through a proxy that nobody told us to believe.
 *
 * @example
 * const mayLook = createOrigin(['127.0.0.0/8', '::1'])
 * mayLook(request) // true from this machine
 */
export function createOrigin(networks: readonly string[]): (request: FastifyRequest) => boolean {
  const allowed = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    allowed.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return (request) => {
    const isThroughTrusted = request.ips !== undefined && request.ips.length > 1
    if (!isThroughTrusted && MARKS_OF_A_PROXY.some((name) => request.headers[name] !== undefined)) return false
    const address = addressOf(request)
    return isIP(address) !== 0 && allowed.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

function parseAddress(written: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = written.replace(/%.*$/, '')
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare)
}

/** Who makes a request, and with what. */
export function visitorOf(request: FastifyRequest): Visitor {
  return { ...callerOf(request), agent: request.headers['user-agent'] ?? '' }
}
