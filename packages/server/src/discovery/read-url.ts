import { isIP } from 'node:net'
import { quote } from '@omen/engine/messages'
import { FetchFailure, REACHABLE } from './fetch-failure.js'
import { explainAddress } from './public-address.js'

/** Much longer than any in use, much shorter than what a server refuses. */
const LONGEST = 2048

/** The last labels of names that mean something in one network only (RFC 6761, 6762, 7686, 8375, and what people use). */
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
  /** For development: lets `http://` and hosts that are not public pass. */
  readonly allowInsecure: boolean
  /** Says why an address is not public; nothing when it is. */
  readonly explainAddress?: (address: string) => string | undefined
}

/**
 * Reads a URL that a stranger gave, and throws a `FetchFailure` of kind `refused` for one that the service must not go to:
 * without HTTPS, with a user name or password, with a host that is no public one by its spelling alone. Every spelling of an
 * IP address (decimal, octal, hexadecimal, short, full-width) is read as the URL standard does, so it is judged as the address
 * that it is. Any port will do: identity providers stand on 8443, 9031 and others, and what is public there is public anyway.
 *
 * @example
 * readUrl('https://idp.acme.com/x', { allowInsecure: false }).href // 'https://idp.acme.com/x'
 * readUrl('https://0x7f.1/', { allowInsecure: false })             // throws: 127.0.0.1 is a loopback address; …
 */
export function readUrl(text: string, rules: UrlRules): URL {
  const url = parseUrl(text.trim())
  if (url.username !== '' || url.password !== '') {
    throw new FetchFailure('refused', 'it holds a user name or password', { advice: 'Leave them out.' })
  }
  if (url.protocol !== 'https:' && !(rules.allowInsecure && url.protocol === 'http:')) {
    throw new FetchFailure('refused', 'it does not start with https://', { advice: 'Only HTTPS is safe enough here.' })
  }
  const reason = rules.allowInsecure ? undefined : explainHost(hostOf(url), rules.explainAddress ?? explainAddress)
  if (reason !== undefined) throw new FetchFailure('refused', reason, { advice: REACHABLE })
  url.hash = ''
  return url
}

/** A host as the network knows it: an IPv6 address without brackets, a name without the dot at its end. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

function parseUrl(text: string): URL {
  // The URL standard drops line breaks and tabs inside a URL. Nobody means them.
  const isPlain = text.length <= LONGEST && !/[\p{Cc}\s]/u.test(text)
  if (!isPlain || !URL.canParse(text)) {
    throw new FetchFailure('refused', 'it is not a URL', {
      advice: 'It looks like https://idp.example.com/.well-known/openid-configuration.',
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
  return isPrivate ? `${quote(host)} is a name of a private network; only public hosts are allowed` : undefined
}
