import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { PUBLIC_MAIL_DOMAINS } from './public-mail-domains.js'

/** An e-mail domain in its one spelling, or what is wrong with it. */
export type CheckedDomain =
  | { readonly domain: string }
  | { readonly problem: 'invalid_request' | 'public_domain'; readonly message: string }

/** The longest name of the DNS. In letters of other scripts it is shorter still. */
const LONGEST = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** The platform reads a domain as part of an address, and would cut it at these or decode them. */
const NOT_IN_A_DOMAIN = /[\s\p{Cc}\p{Cs}/\\@:?#%[\]<>^|]/u

/** What nearly everybody sends. The last label begins with a letter: what begins with a digit may be an address in numbers. */
const USUAL = /^[a-z0-9.-]+\.[a-z][a-z0-9]*$/

/** Whether the platform would leave it as it is: to ask takes longer than all the rest. What has A-labels is for it to check. */
const isInItsForm = (text: string) => USUAL.test(text) && !text.includes('xn--')

/**
 * Checks an e-mail domain and brings it to its one form: lower case, A-labels (IDNA), without the dot of the root. It is a
 * name that can be registered or one below it: never a public suffix, and never a domain where anybody gets an address.
 *
 * @example
 * checkDomain('Bücher.de.') // { domain: 'xn--bcher-kva.de' }
 */
export function checkDomain(text: string): CheckedDomain {
  const given = text.trim()
  const wrong = (message: string): CheckedDomain => ({ problem: 'invalid_request', message })
  if (given.includes('@')) return wrong('is the part of an e-mail address after the @, such as acme.com')
  if (given.includes('/')) return wrong('is a domain name such as acme.com, not a URL')
  if (given.length > LONGEST || NOT_IN_A_DOMAIN.test(given)) return wrong('is not a domain name such as acme.com')
  const domain = isInItsForm(given) ? given : domainToASCII(given).replace(/\.$/, '')
  const labels = domain.split('.')
  if (domain.length > LONGEST || !labels.every((label) => LABEL.test(label))) {
    return wrong('is not a domain name such as acme.com')
  }
  const parsed = parse(domain, { allowPrivateDomains: true })
  // An address in numbers comes out of the conversion in its canonical form.
  if (parsed.isIp) return wrong('is a domain name such as acme.com, not an address in numbers')
  if (labels.length < 2) return wrong('is a whole domain name with a dot, such as acme.com')
  if (!parsed.domain) return wrong(`is a public suffix: give the name that is registered below ${domain}`)
  if (PUBLIC_MAIL_DOMAINS.has(domain) || PUBLIC_MAIL_DOMAINS.has(parsed.domain)) {
    return { problem: 'public_domain', message: `${domain} gives addresses to everybody` }
  }
  return { domain }
}
