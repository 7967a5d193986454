import { bad, type Check, doubtful, EMPTY, good } from './check.js'

/** How a client ID, or a secret, of one identity provider looks. */
export interface Shape {
  readonly pattern: RegExp
  readonly message: string
}

/** What the service takes. */
const LONGEST_ID = 1024
const LONGEST_SECRET = 4096

/**
 * Checks a client ID as it is pasted. A shape that the identity provider always uses is a hint, not a rule.
 *
 * @example
 * checkClientId('0oa1b2c3d4e5 ') // { state: 'good', value: '0oa1b2c3d4e5' }
 */
export function checkClientId(text: string, expected?: Shape): Check {
  const id = text.trim()
  if (id === '') return EMPTY
  if (id.length > LONGEST_ID) return bad('This is too long for a client ID.')
  if (/\s/.test(id)) return bad('A client ID has no blanks in it.', id.replace(/\s+/g, ''))
  if (expected !== undefined && !expected.pattern.test(id)) return doubtful(id, expected.message)
  return good(id)
}

/**
 * Checks a client secret as it is pasted. Blanks at its ends come from copying; a secret is otherwise sent as it is.
 *
 * @example
 * checkClientSecret(' s3cret', {}) // { state: 'doubtful', value: ' s3cret', message: '…', fix: 's3cret' }
 */
export function checkClientSecret(
  text: string,
  { clientId = '', mistaken }: { readonly clientId?: string; readonly mistaken?: Shape | undefined },
): Check {
  if (text.trim() === '') return EMPTY
  if (text.length > LONGEST_SECRET) return bad('This is too long for a client secret.')
  if (/[\r\n\t]/.test(text.trim())) return bad('A secret is one line. Copy it again.')
  if (text !== text.trim()) return doubtful(text, 'The secret has blanks at its beginning or end.', text.trim())
  if (/\s/.test(text)) return doubtful(text, 'The secret has a blank in the middle. Copy it again if that is not so.')
  if (text === clientId.trim()) return bad('This is the client ID. The secret stands beside it.')
  if (/^[•*·●]+$/.test(text)) return bad('These are the dots that hide the secret. Reveal it first, then copy it.')
  if (mistaken?.pattern.test(text)) return doubtful(text, mistaken.message)
  return good(text)
}
