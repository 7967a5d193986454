import type { IncomingMessage } from 'node:http'
import { Problem } from '../../problem.js'

const NAME = 'authorization'

const CREDENTIALS = /^bearer(?: +(.*))?$/i

/** RFC 6750's `b64token`. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/

const HOW_TO_SEND = 'Send the token of step 1 as the header "Authorization: Bearer <token>"'

/**
 * The token of a request: what follows `Bearer` in its one `Authorization` header. Throws a `Problem` when there is none, or
 * something else.
 *
 * @example
 * readBearer(request.raw) // eyJhbGciOiJFUzI1NiJ9.…
 */
export function readBearer({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string {
  const written = valuesOfAuthorization(rawHeaders)
  if (written.length > 1) {
    throw new Problem('invalid_token', `The request has ${written.length} Authorization headers. Send exactly one.`)
  }
  const header = written[0]?.trim() ?? ''
  if (header === '') throw new Problem('missing_token', `${HOW_TO_SEND}.`)
  const credentials = CREDENTIALS.exec(header)
  if (credentials === null)
    throw new Problem('invalid_token', `The Authorization header is not a bearer token. ${HOW_TO_SEND}.`)
  const token = credentials[1]?.trim() ?? ''
  if (token === '') throw new Problem('missing_token', 'No token follows "Bearer". Is the variable of your shell set?')
  if (!TOKEN.test(token)) {
    throw new Problem(
      'invalid_token',
      'What follows "Bearer" is not a token. Copy the value of "token" without quotes and blanks.',
    )
  }
  return token
}

/** Names and values take turns. The parsed headers hold only the first of several. */
function valuesOfAuthorization(rawHeaders: readonly string[]): string[] {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === NAME.length && name.toLowerCase() === NAME) values.push(rawHeaders[i + 1]!)
  }
  return values
}
