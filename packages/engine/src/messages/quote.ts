/** Long enough for the address of an identity provider; a longer value, perhaps hostile, must not fill the message. */
const LONGEST = 120

/** Characters that are invisible, move a terminal's cursor, or change the order of the characters around them. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * A value from outside, fit for a message: in quotation marks, cut after 120 characters, invisible characters escaped. Of a
 * value that is not a string only its type is shown.
 *
 * @example
 * quote('https://idp.acme.com') // '"https://idp.acme.com"'
 * quote(['code'])               // 'a list'
 */
export function quote(value: unknown): string {
  if (typeof value !== 'string') return typeOf(value)
  const cut = value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  return JSON.stringify(cut).replace(INVISIBLE, escapeCharacter)
}

/** The first eight values, each quoted, and how many more there are. */
export function quoteAll(values: readonly unknown[]): string {
  if (values.length === 0) return 'nothing'
  const shown = values.slice(0, 8).map(quote)
  return values.length > shown.length
    ? `${shown.join(', ')} and ${values.length - shown.length} more`
    : shown.join(', ')
}

/** `a, b or c` */
export function orList(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

function typeOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
