import { type FieldError, Problem } from '../problem.js'

const LONGEST_NAME = 200
const LONGEST_URL = 2_000
const LONGEST_CREDENTIAL = 4_000
/** Control characters and lone surrogates: PostgreSQL cannot store all of them, and they are never intended. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

export const URL_RULE = 'must be a URL such as https://idp.acme.com/.well-known/openid-configuration'

/** A well-known URL without surrounding spaces, or undefined if it is not a URL. */
export function wellKnownUrlIn(text: string): string | undefined {
  const url = text.trim()
  return url.length <= LONGEST_URL && !UNPRINTABLE.test(url) && URL.canParse(url) ? url : undefined
}

/** The client of an application at the identity provider, with the field names of the API. */
export interface Credentials {
  readonly client_id: string
  readonly client_secret: string
}

/** Checks the credentials of a client. Surrounding spaces come from the clipboard and are removed. */
export function normalizeCredentials(request: Credentials): Credentials {
  const client_id = request.client_id.trim()
  const client_secret = request.client_secret.trim()
  const errors = Object.entries({ client_id, client_secret })
    .filter(([, value]) => value === '' || value.length > LONGEST_CREDENTIAL || UNPRINTABLE.test(value))
    .map(([field]) => ({
      field,
      message: `must be 1 to ${LONGEST_CREDENTIAL} characters on one line, as the identity provider shows it`,
    }))
  if (errors.length > 0) throw invalidRequest(errors)
  return { client_id, client_secret }
}

export const NAME_RULE = `must be 1 to ${LONGEST_NAME} characters on one line`

/** A name in its normalized form, or undefined if it cannot be a name. */
export function nameIn(text: string): string | undefined {
  const name = text.trim().normalize('NFC')
  const length = [...name].length
  return length >= 1 && length <= LONGEST_NAME && !UNPRINTABLE.test(name) ? name : undefined
}

export function invalidRequest(errors: readonly FieldError[]): Problem {
  const detail = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new Problem('invalid_request', `Correct the request and send it again: ${detail}.`, { errors })
}
