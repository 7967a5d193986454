import { domainToASCII } from 'node:url'
import { quote } from '@omen/engine/messages'
import { Refused } from './refusal.js'

/** What an identity provider says about an address. */
export interface EmailClaims {
  readonly email?: unknown
  readonly email_verified?: unknown
}

/** The longest address that mail can be sent to, with room for other scripts. */
const LONGEST = 320

/** What the platform would cut a domain at, decode, or take for something else. */
const NOT_IN_A_DOMAIN = /[\s\p{C}/\\@:?#%[\]<>^|"'`,;()]/u

const NOT_IN_A_NAME = /[\s\p{C}@]/u

/** Some providers write it as text. Its absence is common, and says nothing. */
const VERIFIED: readonly unknown[] = [true, 'true', undefined, null]

/**
 * Admits an address of one of the organization's own domains and gives it with the domain in its one spelling. Domains are compared as
 * A-labels (IDNA), whole: subdomains, look-alikes and addresses with a second @ are others. Throws a `Refused` otherwise.
 *
 * @example
 * admitEmail({ email: 'Alice@ACME.com' }, ['acme.com', 'acme.org']) // 'Alice@acme.com'
 */
export function admitEmail({ email, email_verified: verified }: EmailClaims, domains: readonly string[]): string {
  if (email === undefined || email === null || email === '') {
    throw new Refused(
      'email_missing',
      'The identity provider sends no "email". Give the application the scope (or claim) "email", and the user an address ' +
        `at ${anyOf(domains)}.`,
    )
  }
  const address = readAddress(email)
  if (address === undefined) {
    throw new Refused(
      'email_unreadable',
      `The identity provider sends the email ${quote(email)}, which is not an address such as alice@${domains[0]}. Correct it there.`,
    )
  }
  if (!domains.includes(address.domain)) {
    throw new Refused(
      'wrong_domain',
      `${quote(email)} signed in, and this connection is for addresses at ${anyOf(domains)} alone. Sign in with one of those, or ` +
        'correct the address at the identity provider.',
    )
  }
  if (!VERIFIED.includes(verified)) {
    throw new Refused(
      'email_unverified',
      `The identity provider says that ${quote(email)} is not verified: "email_verified" is ${show(verified)}, and must be ` +
        'true or absent. Verify the address there.',
    )
  }
  return `${address.name}@${address.domain}`
}

/** More would hide what is told beside them. */
const MOST_TOLD = 5

function anyOf(domains: readonly string[]): string {
  if (domains.length > MOST_TOLD)
    return `${domains.slice(0, MOST_TOLD).join(', ')} and ${domains.length - MOST_TOLD} more domains`
  return domains.length < 2 ? domains.join() : `${domains.slice(0, -1).join(', ')} or ${domains.at(-1)}`
}

/**
 * The domain of an address in its one spelling, or undefined for what is no address.
 *
 * @example
 * domainOfEmail('Alice@ACME.com') // 'acme.com'
 */
export function domainOfEmail(email: unknown): string | undefined {
  return readAddress(email)?.domain
}

function readAddress(email: unknown): { readonly name: string; readonly domain: string } | undefined {
  if (typeof email !== 'string' || email.length > LONGEST) return undefined
  const parts = email.split('@')
  const [name = '', written = ''] = parts
  if (parts.length !== 2 || name === '' || NOT_IN_A_NAME.test(name) || NOT_IN_A_DOMAIN.test(written)) return undefined
  const domain = domainToASCII(written)
  return domain === '' ? undefined : { name, domain }
}

function show(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : quote(value)
}
