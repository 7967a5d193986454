import type { IncomingMessage } from 'node:http'
import { Problem } from '../../problem.js'

const CREDENTIALS = /^bearer(?: +(.*))?$/i

/** The `b64token` of RFC 6750. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/

const HOW_TO_SEND = 'Send the token of step 1 as the header "Authorization: Bearer <token>"'

type Message = Pick<IncomingMessage, 'rawHeaders'>

/**
 * The token of the `Authorization: Bearer` header. Throws a `Problem` if the request has no such header, several of them, or one
 * that is malformed.
 *
 * @example
 * requireBearerToken(request.raw) // eyJhbGciOiJFUzI1NiJ9.…
 */
export function requireBearerToken(message: Message): string {
  const parsed = parseAuthorization(message)
  if (parsed instanceof Problem) throw parsed
  return parsed
}

/** The same token, or undefined where `requireBearerToken` throws. */
export function findBearerToken(message: Message): string | undefined {
  const parsed = parseAuthorization(message)
  return parsed instanceof Problem ? undefined : parsed
}

function parseAuthorization({ rawHeaders }: Message): string | Problem {
  const values = authorizationValues(rawHeaders)
  if (values.length > 1) {
    return new Problem('invalid_token', `The request has ${values.length} Authorization headers. Send exactly one.`)
  }
  const header = values[0]?.trim() ?? ''
  if (header === '') return new Problem('missing_token', `${HOW_TO_SEND}.`)
  const credentials = CREDENTIALS.exec(header)
  if (credentials === null) {
    return new Problem('invalid_token', `The Authorization header is not a bearer token. ${HOW_TO_SEND}.`)
  }
  const token = credentials[1]?.trim() ?? ''
  if (token === '') return new Problem('missing_token', 'No token follows "Bearer". Is your shell variable set?')
  if (TOKEN.test(token)) return token
  return new Problem(
    'invalid_token',
    'The string after "Bearer" is not a token. Copy the value of "token" without quotation marks and spaces.',
  )
}

/** `rawHeaders` alternates names and values. The parsed headers contain only the first of several Authorization headers. */
function authorizationValues(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === 'authorization')
}
