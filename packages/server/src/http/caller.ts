import { isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Caller } from '../onboarding/onboarding.js'

/** Networks from which the operator looks at the service. */
const INSIDE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

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
 * Whether a request comes from the operator's own network: from a private address, and not through a proxy that nobody told us to
 * believe, behind which everybody looks private.
 */
export function isFromInside(request: FastifyRequest): boolean {
  const { headers, ips } = request
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  if (forwarded && (ips === undefined || ips.length < 2)) return false
  const address = parseAddress(addressOf(request))
  return address !== undefined && INSIDE.has(address.range())
}

function parseAddress(written: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = written.replace(/%.*$/, '')
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare)
}
