import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { Problem } from '../problem.js'
import { PUBLIC_MAIL_DOMAINS } from './public-mail-domains.js'

/** An e-mail domain in its canonical form, or what is wrong with it. */
export type CheckedDomain =
  | { readonly domain: string }
  | { readonly problem: 'invalid_request' | 'public_domain'; readonly message: string }

/** The longest domain name in the DNS, in ASCII. */
const LONGEST = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Node.js parses a domain as a part of a URL, and would cut it at these characters or decode them. */
const NOT_IN_A_DOMAIN = /[\s\p{Cc}\p{Cs}/\\@:?#%[\]<>^|]/u

/** The usual form. The last label starts with a letter: a name that ends with digits may be an IPv4 address. */
const USUAL = /^[a-z0-9.-]+\.[a-z][a-z0-9]*$/

/** Whether `domainToASCII`, which is slow, would not change the name. Names with A-labels must be checked by it. */
const isCanonical = (name: string) => USUAL.test(name) && !name.includes('xn--')

/**
 * Checks an e-mail domain and gives its canonical form: lower case, A-labels (IDNA), without a trailing dot. Public suffixes
 * and domains where anyone can get an address are not allowed.
 *
 * @example
 * checkDomain('Bücher.de.') // { domain: 'xn--bcher-kva.de' }
 */
export function checkDomain(typed: string): CheckedDomain {
  const given = typed.trim()
  const wrong = (message: string): CheckedDomain => ({ problem: 'invalid_request', message })
  if (given.includes('@')) return wrong('must be the part of an e-mail address after the @, such as acme.com')
  if (given.includes('/')) return wrong('must be a domain name such as acme.com, not a URL')
  if (given.length > LONGEST || NOT_IN_A_DOMAIN.test(given)) return wrong('must be a domain name such as acme.com')
  const domain = isCanonical(given) ? given : domainToASCII(given).replace(/\.$/, '')
  const labels = domain.split('.')
  if (domain.length > LONGEST || !labels.every((label) => LABEL.test(label))) {
    return wrong('must be a domain name such as acme.com')
  }
  const parsed = parse(domain, { allowPrivateDomains: true })
  if (parsed.isIp) return wrong('must be a domain name such as acme.com, not an IP address')
  if (labels.length < 2) return wrong('must be a full domain name with a dot, such as acme.com')
  if (!parsed.domain) return wrong(`must not be a public suffix: use the name that is registered under ${domain}`)
  if (PUBLIC_MAIL_DOMAINS.has(domain) || PUBLIC_MAIL_DOMAINS.has(parsed.domain)) {
    return { problem: 'public_domain', message: `Anyone can get an e-mail address at ${domain}` }
  }
  return { domain }
}

export function publicDomain(message: string): Problem {
  return new Problem('public_domain', `${message}. Use a domain that belongs only to your organization.`)
}

export function domainTaken(domain: string): Problem {
  return new Problem(
    'domain_taken',
    `${domain} is already connected by another organization. Check the domain. If it belongs to you, contact the operator.`,
  )
}
