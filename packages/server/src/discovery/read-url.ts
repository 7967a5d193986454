import { isIP } from 'node:net'
import { quote } from '@omen/engine/messages'
import { FetchFailure, REACHABLE } from './fetch-failure.js'
import { explainAddress } from './public-address.js'

/** Longer than any URL in use, and short enough for every server. */
const LONGEST = 2048

/** Suffixes of names that exist only in private networks (RFC 6761, 6762, 7686, 8375, and common practice). */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'onion',
]

export interface UrlRules {
  /** For development: allows `http://` and hosts that are not public. */
  readonly allowInsecure: boolean
  /** Says why an address is not public; undefined for a public address. */
  readonly explainAddress?: (address: string) => string | undefined
}

/**
 * Parses a URL from outside. Throws a `FetchFailure` of kind `refused` for a URL that the service must not request: without
 * HTTPS, with a user name or password, or with a host that is not public by its name. Every spelling of an IP address (decimal,
 * octal, hexadecimal, short, full-width) is parsed by the URL standard, so the real address is checked. Every port is allowed:
 * identity providers use 8443, 9031 and others.
 *
 * @example
 * readUrl('https://idp.acme.com/x', { allowInsecure: false }).href // 'https://idp.acme.com/x'
 * readUrl('https://0x7f.1/', { allowInsecure: false })             // throws: 127.0.0.1 is a loopback address; …
 */
export function readUrl(typed: string, rules: UrlRules): URL {
  const url = parseUrl(typed.trim())
  if (url.username !== '' || url.password !== '') {
    throw new FetchFailure('refused', 'it contains a user name or password', { advice: 'Remove them.' })
  }
  if (url.protocol !== 'https:' && !(rules.allowInsecure && url.protocol === 'http:')) {
    throw new FetchFailure('refused', 'it does not start with https://', { advice: 'Only HTTPS is allowed.' })
  }
  const reason = rules.allowInsecure ? undefined : explainHost(hostOf(url), rules.explainAddress ?? explainAddress)
  if (reason !== undefined) throw new FetchFailure('refused', reason, { advice: REACHABLE })
  url.hash = ''
  return url
}

/** The host of a URL: an IPv6 address without brackets, a name without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

function parseUrl(text: string): URL {
  // The URL standard removes line breaks and tabs inside a URL; here they are an error.
  const isPlain = text.length <= LONGEST && !/[\p{Cc}\s]/u.test(text)
  if (!isPlain || !URL.canParse(text)) {
    throw new FetchFailure('refused', 'it is not a URL', {
      advice: 'A well-known URL looks like https://idp.example.com/.well-known/openid-configuration.',
    })
  }
  return new URL(text)
}

function explainHost(host: string, explain: (address: string) => string | undefined): string | undefined {
  if (isIP(host) !== 0) {
    const reason = explain(host)
    return reason === undefined ? undefined : `${host} is ${reason}; only public addresses are allowed`
  }
  const isPrivate =
    !host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))
  return isPrivate ? `${quote(host)} is a name in a private network; only public hosts are allowed` : undefined
}
