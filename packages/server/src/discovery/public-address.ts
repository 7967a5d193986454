import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What the ranges of addresses that are not public are called. A range that is not named here is `a reserved address`. */
const RANGES: Readonly<Record<string, string>> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  deprecatedSiteLocal: 'a private address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'a shared address of a provider (carrier-grade NAT)',
  unspecified: 'an unspecified address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  '6to4': 'an address of a tunnel (6to4)',
  teredo: 'an address of a tunnel (Teredo)',
}

/**
 * Where the clouds answer their machines' questions about keys and passwords. All but Azure's lie in ranges that are closed
 * anyway; they are listed so that the message says what it is about.
 */
const METADATA = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
])

/** The only part of IPv6 that is handed out to the public; what is special in it is excepted by its range. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Networks with IPv6 alone reach IPv4 through this prefix: what counts is the IPv4 address inside. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Says why an address is not a public one; nothing for a public address. An IPv4 address inside an IPv6 one (mapped, NAT64)
 * is judged as what it is.
 *
 * @example
 * explainAddress('10.0.0.1')         // 'a private address'
 * explainAddress('::ffff:127.0.0.1') // 'a loopback address'
 * explainAddress('9.9.9.9')          // undefined
 */
export function explainAddress(address: string): string | undefined {
  // The parser also reads short, octal and hexadecimal forms; the network would be handed the text, and may read it otherwise.
  const version = isIP(address)
  if (version === 0) return 'not an address'
  return version === 4 ? explainIPv4(address) : explainIPv6(address)
}

function explainIPv4(text: string): string | undefined {
  if (METADATA.has(text)) return 'the address of a metadata service'
  return explainRange(ipaddr.IPv4.parse(text).range())
}

function explainIPv6(text: string): string | undefined {
  if (text.includes('%')) return 'an address of one network interface'
  const address = ipaddr.IPv6.parse(canonicalIPv6(text))
  if (METADATA.has(address.toString())) return 'the address of a metadata service'
  if (address.isIPv4MappedAddress() || address.match(NAT64)) return explainIPv4(embeddedIPv4(address))
  const range = address.range()
  if (range !== 'unicast') return explainRange(range)
  return address.match(GLOBAL_UNICAST) ? undefined : explainRange('reserved')
}

/** In hexadecimal groups alone: the parser takes `::1.2.3.4` for `::ffff:1.2.3.4`, the network does not. */
function canonicalIPv6(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1)
}

function embeddedIPv4(address: ipaddr.IPv6): string {
  return new ipaddr.IPv4(address.toByteArray().slice(12)).toString()
}

function explainRange(range: string): string | undefined {
  return range === 'unicast' ? undefined : (RANGES[range] ?? 'a reserved address')
}
