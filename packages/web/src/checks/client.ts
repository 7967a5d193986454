import { bad, type Check, doubtful, EMPTY, good } from './check.js'

/** The format that one identity provider uses for client IDs or secrets. */
export interface ValuePattern {
  readonly pattern: RegExp
  readonly message: string
}

/** The limits of the service, in characters. */
const LONGEST_ID = 1024
const LONGEST_SECRET = 4096

/**
 * Checks a client ID as it is pasted. A value that does not match the provider's usual format is doubtful, not bad.
 *
 * @example
 * checkClientId('0oa1b2c3d4e5 ') // { state: 'good', value: '0oa1b2c3d4e5' }
 */
export function checkClientId(text: string, expected?: ValuePattern): Check {
  const id = text.trim()
  if (id === '') return EMPTY
  if (id.length > LONGEST_ID) return bad('This is too long to be a client ID.')
  if (/\s/.test(id)) return bad('A client ID has no spaces.', id.replace(/\s+/g, ''))
  if (expected !== undefined && !expected.pattern.test(id)) return doubtful(id, expected.message)
  return good(id)
}

/**
 * Checks a client secret as it is pasted. Spaces at its ends usually come from copying, so the trimmed secret is offered.
 *
 * @example
 * checkClientSecret(' s3cret', {}) // { state: 'doubtful', value: ' s3cret', message: '…', fix: 's3cret' }
 */
export function checkClientSecret(
  text: string,
  { clientId = '', wrong }: { readonly clientId?: string; readonly wrong?: ValuePattern | undefined },
): Check {
  if (text.trim() === '') return EMPTY
  if (text.length > LONGEST_SECRET) return bad('This is too long to be a client secret.')
  if (/[\r\n\t]/.test(text.trim())) return bad('A secret is a single line. Copy it again.')
  if (text !== text.trim()) return doubtful(text, 'The secret starts or ends with a space.', text.trim())
  if (/\s/.test(text)) return doubtful(text, 'The secret contains a space. Copy it again if that is not expected.')
  if (text === clientId.trim()) return bad('This is the client ID. Copy the client secret instead.')
  if (/^[•*·●]+$/.test(text)) return bad('These dots hide the secret. Reveal the secret first, then copy it.')
  if (wrong?.pattern.test(text)) return doubtful(text, wrong.message)
  return good(text)
}
