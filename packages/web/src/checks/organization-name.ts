import { bad, type Check, EMPTY, good } from './check.js'

const LONGEST = 200

/**
 * Checks the name of an organization: 1 to 200 characters, none of them invisible.
 *
 * @example
 * checkOrganizationName(' Acme ') // { state: 'good', value: 'Acme' }
 */
export function checkOrganizationName(text: string): Check {
  const name = text.trim()
  if (name === '') return EMPTY
  const length = [...name].length
  if (length > LONGEST) return bad(`The name has ${length} characters; ${LONGEST} is the most.`)
  if (/\p{Cc}/u.test(name)) return bad('The name has characters that cannot be seen. Type it instead of pasting it.')
  return good(name)
}
