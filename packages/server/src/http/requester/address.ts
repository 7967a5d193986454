import { BlockList, isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Requester } from '../../audit/audit.js'

/** Headers that proxies add. A request with one of them, and without a trusted proxy, has the address of an unknown proxy. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/** Who sends a request: the address of the connection, or the address that a trusted proxy forwards. */
export function requesterOf(request: FastifyRequest): Requester {
  return { address: addressOf(request), requestId: request.id, agent: request.headers['user-agent'] ?? '' }
}

/** A proxy may forward any string: if it is not an address, the address of the connection counts. */
export function addressOf(request: FastifyRequest): string {
  return canonicalAddress(request.ip) ?? canonicalAddress(request.socket.remoteAddress) ?? 'unknown'
}

/**
 * An address in its canonical form: IPv4 in IPv6 as IPv4, without a zone. Undefined for a string that is not an address.
 *
 * @example
 * canonicalAddress('::ffff:203.0.113.7') // 203.0.113.7
 */
export function canonicalAddress(written: string | undefined): string | undefined {
  return written === undefined ? undefined : parseAddress(written)?.toString()
}

/**
 * The network of one subscriber: an IPv4 address, or an IPv6 /64, of which one machine can use every address.
 *
 * @example
 * subscriberOf('2001:db8:1:2:3:4:5:6') // 2001:db8:1:2::/64
 */
export function subscriberOf(address: string): string {
  const parsed = parseAddress(address)
  if (!(parsed instanceof ipaddr.IPv6)) return address
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

/**
 * Makes a check whether a request comes from one of these addresses or networks, and not through an untrusted proxy.
 *
 * @example
 * const mayReadMetrics = createAddressCheck(['127.0.0.0/8', '::1'])
 * mayReadMetrics(request) // true from this machine
 */
export function createAddressCheck(networks: readonly string[]): (request: FastifyRequest) => boolean {
  const allowed = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    allowed.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return (request) => {
    const isThroughTrustedProxy = request.ips !== undefined && request.ips.length > 1
    if (!isThroughTrustedProxy && PROXY_HEADERS.some((name) => request.headers[name] !== undefined)) return false
    const address = addressOf(request)
    return isIP(address) !== 0 && allowed.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

function parseAddress(written: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const withoutZone = written.replace(/%.*$/, '')
  return isIP(withoutZone) === 0 ? undefined : ipaddr.process(withoutZone)
}
