import { parseJson } from '../../parse-json.js'
import { parseExactly } from './json-parse.js'
import type { Value } from './value.js'

/** What a filter needs of an entry. */
export interface Needs {
  /** The order of keys, and keys that JavaScript treats specially. */
  readonly keys: boolean
  /** Numbers as they are written. */
  readonly numbers: boolean
}

// A key that is stored differently (see `storedKey`), perhaps written with escapes, or half a surrogate pair.
const SPECIAL_KEYS =
  /"(?:[0-9]{1,10}|__[a-zA-Z]+__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf|\uF8FF[^"]*)"\s*:|\\u(?:00(?:3[0-9]|4[0-9a-fA-F]|5[0-9aAfF]|[67])|[fF]8[fF]{2})/
// A number of which a double loses digits, or that jq writes as it is written: long, `1.50`, `1e3`, `0.00001`.
const SPECIAL_NUMBERS =
  /(?:[:,[]|^)\s*-?(?:[0-9]{16}|0\.0000|[0-9]+(?:\.[0-9]*(?:0[,\]}\s]|0$|[0-9]{15})|(?:\.[0-9]+)?[eE]))/

/** The entry that was parsed last, and what is known about it. */
const last: {
  text: string | undefined
  plain: Value | undefined
  exact: Value | undefined
  specialKeys: boolean | undefined
  specialNumbers: boolean | undefined
} = { text: undefined, plain: undefined, exact: undefined, specialKeys: undefined, specialNumbers: undefined }

/**
 * The value of an entry, `undefined` if it is not JSON. The last entry is cached, because all filters run on one
 * entry before they run on the next.
 */
export function parseDocument(text: string, needs: Needs): Value | undefined {
  if (text !== last.text) {
    last.text = text
    last.plain = parsePlain(text)
    last.exact = undefined
    last.specialKeys = undefined
    last.specialNumbers = undefined
  }
  if (last.plain === undefined) return undefined
  if (!((needs.keys && hasSpecialKeys(text)) || (needs.numbers && hasSpecialNumbers(text)))) return last.plain
  last.exact ??= parseExactly(text)
  return last.exact
}

function hasSpecialKeys(text: string): boolean {
  last.specialKeys ??= SPECIAL_KEYS.test(text)
  return last.specialKeys
}

/** Whether the last entry has numbers that a double does not hold as they are written. */
export function hasSpecialNumbers(text: string): boolean {
  last.specialNumbers ??= SPECIAL_NUMBERS.test(text)
  return last.specialNumbers
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"' }
const SCALAR = /^(?:-?[0-9][-+0-9.eE]*|true|false|null)$/

function parsePlain(entry: string): Value | undefined {
  const text = entry.trim()
  // Most text that is not JSON can be recognised by its first or last character, and a thrown SyntaxError costs microseconds.
  const closing = CLOSING[text.charAt(0)]
  if (closing === undefined ? !SCALAR.test(text) : !text.endsWith(closing)) return undefined
  const value = parseJson(text) as Value | undefined
  return value !== undefined && text.includes('\\u') && SURROGATE.test(text) ? validated(text, value) : value
}

const SURROGATE = /\\u[dD][89a-fA-F]/

/** A lone surrogate is an error in jq, but not in JavaScript. */
function validated(text: string, value: Value): Value | undefined {
  return parseExactly(text) === undefined ? undefined : value
}
