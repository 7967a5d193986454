/** Longer than any address in use; a hostile document must not fill a message. */
const LONGEST = 200

/** What has no shape of its own, or changes the order of what stands around it. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * A value that somebody else chose, fit for a message: quoted, cut, and without characters that are not seen. Of a value that
 * is not a text only its kind is told.
 *
 * @example
 * quote('https://idp.acme.com') // '"https://idp.acme.com"'
 * quote(['code'])               // 'a list'
 */
export function quote(value: unknown): string {
  if (typeof value !== 'string') return kindOf(value)
  const cut = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  return JSON.stringify(cut).replace(INVISIBLE, escapeCharacter)
}

/** Several values, each quoted; of many only the first. */
export function quoteAll(values: readonly unknown[]): string {
  if (values.length === 0) return 'nothing'
  const shown = values.slice(0, 8).map(quote)
  return values.length > shown.length
    ? `${shown.join(', ')} and ${values.length - shown.length} more`
    : shown.join(', ')
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
