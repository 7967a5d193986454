import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Names of the address ranges that are not public. Any other range is `a reserved address`. */
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
 * The metadata services of cloud providers, which give machines their credentials. All but Azure's are in ranges that are not
 * public anyway; they are listed so that the message names them.
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

/** The public part of IPv6. Special ranges inside it are excluded by their name. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv6-only networks reach IPv4 through this prefix: the embedded IPv4 address is checked. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Says why an address is not public; undefined for a public address. An IPv4 address embedded in an IPv6 address (mapped, NAT64)
 * is checked as IPv4.
 *
 * @example
 * explainAddress('10.0.0.1')         // 'a private address'
 * explainAddress('::ffff:127.0.0.1') // 'a loopback address'
 * explainAddress('9.9.9.9')          // undefined
 */
export function explainAddress(address: string): string | undefined {
  // The parser also accepts short, octal and hexadecimal forms, which the network might read differently.
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

/** In hexadecimal groups only: the parser reads `::1.2.3.4` as `::ffff:1.2.3.4`, unlike the network. */
function canonicalIPv6(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1)
}

function embeddedIPv4(address: ipaddr.IPv6): string {
  return new ipaddr.IPv4(address.toByteArray().slice(12)).toString()
}

function explainRange(range: string): string | undefined {
  return range === 'unicast' ? undefined : (RANGES[range] ?? 'a reserved address')
}
