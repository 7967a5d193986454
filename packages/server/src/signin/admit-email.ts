import { domainToASCII } from 'node:url'
import { quote } from '@omen/engine/messages'
import { SignInFailure } from './sign-in-failure.js'

/** The claims of an identity provider about an address. */
export interface EmailClaims {
  readonly email?: unknown
  readonly email_verified?: unknown
}

/** Longer than any address that mail can be sent to. */
const LONGEST = 320

/** Characters at which Node.js would cut a domain, or which it would decode or misread. */
const NOT_IN_A_DOMAIN = /[\s\p{C}/\\@:?#%[\]<>^|"'`,;()]/u

const NOT_IN_A_NAME = /[\s\p{C}@]/u

/** Some providers send a string. The claim is often absent, which means nothing. */
const VERIFIED: readonly unknown[] = [true, 'true', undefined, null]

/**
 * Admits an address that belongs to one of the organization's domains, and gives it with the domain in canonical form. Whole
 * domains are compared, as A-labels (IDNA): subdomains, look-alikes and addresses with a second @ do not match. Throws a
 * `SignInFailure` otherwise.
 *
 * @example
 * admitEmail({ email: 'Alice@ACME.com' }, ['acme.com', 'acme.org']) // 'Alice@acme.com'
 */
export function admitEmail({ email, email_verified: verified }: EmailClaims, domains: readonly string[]): string {
  if (email === undefined || email === null || email === '') {
    throw new SignInFailure(
      'email_missing',
      'The identity provider sent no "email". Give the application the scope (or claim) "email", and the user an address ' +
        `at ${anyOf(domains)}.`,
    )
  }
  const address = readAddress(email)
  if (address === undefined) {
    throw new SignInFailure(
      'email_unreadable',
      `The identity provider sent the email ${quote(email)}, which is not an address such as alice@${domains[0]}. Correct it at the identity provider.`,
    )
  }
  if (!domains.includes(address.domain)) {
    throw new SignInFailure(
      'wrong_domain',
      `The user signed in with ${quote(email)}, but this connection is only for addresses at ${anyOf(domains)}. Sign in with such an ` +
        'address, or correct the address at the identity provider.',
    )
  }
  if (!VERIFIED.includes(verified)) {
    throw new SignInFailure(
      'email_unverified',
      `The identity provider says that ${quote(email)} is not verified: "email_verified" is ${show(verified)}, but must be ` +
        'true or absent. Verify the address at the identity provider.',
    )
  }
  return `${address.name}@${address.domain}`
}

/** A longer list would hide the rest of the message. */
const MOST_SHOWN = 5

function anyOf(domains: readonly string[]): string {
  if (domains.length > MOST_SHOWN)
    return `${domains.slice(0, MOST_SHOWN).join(', ')} and ${domains.length - MOST_SHOWN} more domains`
  return domains.length < 2 ? domains.join() : `${domains.slice(0, -1).join(', ')} or ${domains.at(-1)}`
}

/**
 * The domain of an address in canonical form, or undefined if it is not an address.
 *
 * @example
 * domainOfEmail('Alice@ACME.com') // 'acme.com'
 */
export function domainOfEmail(email: unknown): string | undefined {
  return readAddress(email)?.domain
}

function readAddress(email: unknown): { readonly name: string; readonly domain: string } | undefined {
  if (typeof email !== 'string' || email.length > LONGEST) return undefined
  const halves = email.split('@')
  const [name = '', written = ''] = halves
  if (halves.length !== 2 || name === '' || NOT_IN_A_NAME.test(name) || NOT_IN_A_DOMAIN.test(written)) return undefined
  const domain = domainToASCII(written)
  return domain === '' ? undefined : { name, domain }
}

function show(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : quote(value)
}
