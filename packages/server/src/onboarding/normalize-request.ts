import { hash } from 'node:crypto'
import { type FieldError, Problem } from '../problem.js'
import type { NormalizedRequest } from '../store/transactions.js'
import { checkDomain } from './domain.js'
import type { CompletionRequest, ConnectionRequest } from './onboarding.js'

const LONGEST_NAME = 200
const LONGEST_URL = 2_000
const LONGEST_CREDENTIAL = 4_000
/** Control characters and halves of characters: a database cannot keep them all, and nobody means them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/**
 * Checks the request of step 2 and brings it to its one spelling. Rejects with all that is wrong, by field.
 *
 * @example
 * normalizeRequest({ well_known_url: ' https://idp.acme.com/… ', domain: 'ACME.com', org_name: 'Acme' }).domain // 'acme.com'
 */
export function normalizeRequest(request: ConnectionRequest): NormalizedRequest {
  const errors: FieldError[] = []
  const domain = checkDomain(request.domain)
  const org_name = nameIn(request.org_name)
  const well_known_url = wellKnownUrlIn(request.well_known_url)
  if (well_known_url === undefined) errors.push({ field: 'well_known_url', message: URL_RULE })
  if ('problem' in domain && domain.problem === 'invalid_request') {
    errors.push({ field: 'domain', message: domain.message })
  }
  if (org_name === undefined) errors.push({ field: 'org_name', message: NAME_RULE })
  if (errors.length > 0) throw invalidRequest(errors)
  if ('problem' in domain) throw publicDomain(domain.message)
  return { well_known_url: well_known_url!, domain: domain.domain, org_name: org_name! }
}

export const URL_RULE = 'is not a URL such as https://idp.acme.com/.well-known/openid-configuration'

/** The one spelling of a well-known URL, or undefined when it cannot be one. */
export function wellKnownUrlIn(text: string): string | undefined {
  const url = text.trim()
  return url.length <= LONGEST_URL && !UNPRINTABLE.test(url) && URL.canParse(url) ? url : undefined
}

/** What is the same for requests that ask for the same. */
export function digestOf({ well_known_url, domain, org_name }: NormalizedRequest): string {
  return hash('sha256', JSON.stringify([well_known_url, domain, org_name]), 'hex')
}

/** Checks what step 4 brings. Blanks around an id or a secret are of the clipboard. */
export function normalizeCredentials(request: CompletionRequest): CompletionRequest {
  const client_id = request.client_id.trim()
  const client_secret = request.client_secret.trim()
  const errors = Object.entries({ client_id, client_secret })
    .filter(([, value]) => value === '' || value.length > LONGEST_CREDENTIAL || UNPRINTABLE.test(value))
    .map(([field]) => ({
      field,
      message: `is 1 to ${LONGEST_CREDENTIAL} characters on one line, as the identity provider shows it`,
    }))
  if (errors.length > 0) throw invalidRequest(errors)
  return { client_id, client_secret }
}

export const NAME_RULE = `is 1 to ${LONGEST_NAME} characters on one line`

/** The one spelling of a name, or undefined when it cannot be one. */
export function nameIn(text: string): string | undefined {
  const name = text.trim().normalize('NFC')
  const length = [...name].length
  return length >= 1 && length <= LONGEST_NAME && !UNPRINTABLE.test(name) ? name : undefined
}

export function invalidRequest(errors: readonly FieldError[]): Problem {
  const detail = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new Problem('invalid_request', `Correct the request and send it again: ${detail}.`, { errors })
}

export function publicDomain(message: string): Problem {
  return new Problem('public_domain', `${message}. Use the domain that belongs to your organization alone.`)
}
