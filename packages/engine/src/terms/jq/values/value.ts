/**
 * A number as it was written, where a double or its usual spelling would lose something: `13911860366432393`, `1.0`,
 * `1e1000`. Comparisons and output see the text; arithmetic sees the double.
 */
export class Decimal {
  /** The canonical spelling. */
  readonly text: string
  readonly double: number

  constructor(text: string, double: number) {
    this.text = text
    this.double = double
  }
}

/**
 * Any JSON value. Values are immutable, so they can be shared. Object keys are stored in the form that
 * `storedKey` gives them.
 */
export type Value = null | boolean | number | string | Decimal | readonly Value[] | JqObject

export interface JqObject {
  readonly [key: string]: Value
}

/** An object under construction. */
export type ObjectDraft = Record<string, Value>

/** An error of the filter; `try` catches it. Not an `Error`, because a stack trace would cost more than the filter. */
export class JqError {
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export function isObject(value: Value): value is JqObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal)
}

export function isArray(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** The name that `type` gives. */
export function typeName(value: Value): TypeName {
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value as 'boolean' | 'number' | 'string'
  if (Array.isArray(value)) return 'array'
  return value instanceof Decimal ? 'number' : 'object'
}

/** The double of a number, `undefined` for anything else. */
export function toDouble(value: Value): number | undefined {
  if (typeof value === 'number') return value
  return value instanceof Decimal ? value.double : undefined
}

export function isTruthy(value: Value): boolean {
  return value !== null && value !== false
}

// JavaScript moves keys that look like array indices to the front and gives every object some inherited names. Keys of
// either kind are stored after a mark, so that an object keeps its order and `object[key]` never finds what is not in it.
const MARK = '\uF8FF'
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype))
const DIGIT_0 = 48
const DIGIT_9 = 57

/** Whether a key cannot be stored as it is. */
export function isMarkedKey(key: string): boolean {
  const first = key.charCodeAt(0)
  if (first >= DIGIT_0 && first <= DIGIT_9) return /^(?:0|[1-9][0-9]{0,9})$/.test(key)
  return first === MARK.charCodeAt(0) || INHERITED.has(key)
}

export function storedKey(key: string): string {
  return isMarkedKey(key) ? MARK + key : key
}

export function plainKey(stored: string): string {
  return stored.startsWith(MARK) ? stored.slice(MARK.length) : stored
}

/** The keys of an object in the order in which they were inserted, as the filter sees them. */
export function keysOf(object: JqObject): string[] {
  const keys = Object.keys(object)
  for (let i = 0; i < keys.length; i++) keys[i] = plainKey(keys[i]!)
  return keys
}

export function lookUp(object: JqObject, key: string): Value | undefined {
  return object[storedKey(key)]
}

/** The keys of an object in the order of `sort`, in their stored form. */
export function sortedStoredKeys(object: JqObject): string[] {
  return Object.keys(object).sort((a, b) => compareStrings(plainKey(a), plainKey(b)))
}

/** By code point, as UTF-8 bytes compare; `<` on strings would put U+FFFD after an emoji. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    const pairs = isSurrogate(x)
    return pairs === isSurrogate(y) ? x - y : pairs ? 1 : -1
  }
  return a.length - b.length
}

function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800
}

/** How many code points a string has. */
export function codePointCount(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--
      i++
    }
  }
  return count
}

/** The index of the UTF-16 unit at which the code point number `points` starts. */
export function unitIndex(text: string, points: number): number {
  let unit = 0
  for (let left = points; left > 0 && unit < text.length; left--) {
    unit += (text.charCodeAt(unit) & 0xfc00) === 0xd800 && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00 ? 2 : 1
  }
  return unit
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

export function isWellFormed(text: string): boolean {
  LONE_SURROGATE.lastIndex = 0
  return !LONE_SURROGATE.test(text)
}

/** The string with lone surrogates replaced. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\uFFFD')
}
