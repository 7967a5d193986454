import { allocate, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import type { BinaryOperator } from '../parse/ast.js'
import { compare, equals } from './compare.js'
import { excerpt } from './json-text.js'
import { isArray, isObject, JqError, type JqObject, type ObjectDraft, toDouble, typeName, type Value } from './value.js'

type Operation = (a: Value, b: Value) => Value

/** `number (1)`, for messages. */
export function describe(value: Value): string {
  return `${typeName(value)} (${excerpt(value)})`
}

function refuse(a: Value, b: Value, what: string): never {
  throw new JqError(`${describe(a)} and ${describe(b)} cannot be ${what}`)
}

export const add: Operation = (a, b) => {
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (a === null) return b
  if (b === null) return a
  if (typeof a === 'string' && typeof b === 'string') return concat(a, b)
  if (isArray(a) && isArray(b)) {
    charge(a.length + b.length)
    return a.concat(b)
  }
  if (isObject(a) && isObject(b)) {
    chargeObject(Object.keys(a).length + Object.keys(b).length)
    return { ...a, ...b }
  }
  const x = toDouble(a)
  const y = toDouble(b)
  return x === undefined || y === undefined ? refuse(a, b, 'added') : x + y
}

export function concat(a: string, b: string): string {
  allocate((a.length + b.length) * 2)
  return a + b
}

/** Counts a copy of this many elements. */
export function charge(elements: number): void {
  spend((elements >>> 3) + 1)
  allocate(HEADER_BYTES + elements * SLOT_BYTES)
}

/** The same for an object, where every field takes much longer. */
export function chargeObject(fields: number): void {
  spend(2 * fields + 1)
  allocate(HEADER_BYTES + fields * 3 * SLOT_BYTES)
}

const subtract: Operation = (a, b) => {
  const x = toDouble(a)
  const y = toDouble(b)
  if (x !== undefined && y !== undefined) return x - y
  if (!isArray(a) || !isArray(b)) return refuse(a, b, 'subtracted')
  charge(a.length)
  return a.filter((item) => {
    spend(b.length + 1)
    return !b.some((other) => equals(item, other))
  })
}

const multiply: Operation = (a, b) => {
  const x = toDouble(a)
  const y = toDouble(b)
  if (x !== undefined && y !== undefined) return x * y
  if (typeof a === 'string' && y !== undefined) return repeat(a, y)
  if (typeof b === 'string' && x !== undefined) return repeat(b, x)
  return isObject(a) && isObject(b) ? merge(a, b) : refuse(a, b, 'multiplied')
}

function repeat(text: string, times: number): Value {
  if (!(times >= 0)) return null
  const count = Math.floor(times)
  if (text === '' || count === 0) return ''
  allocate(Math.min(text.length * count * 2, Number.MAX_SAFE_INTEGER))
  return text.repeat(count)
}

/** `*` on objects: what both have as objects is merged in turn. */
function merge(a: JqObject, b: JqObject): JqObject {
  chargeObject(Object.keys(a).length + Object.keys(b).length)
  const result: ObjectDraft = { ...a }
  for (const key of Object.keys(b)) {
    const mine = result[key]
    const other = b[key]!
    result[key] = mine !== undefined && isObject(mine) && isObject(other) ? merge(mine, other) : other
  }
  return result
}

const divide: Operation = (a, b) => {
  const x = toDouble(a)
  const y = toDouble(b)
  if (x !== undefined && y !== undefined) {
    return y === 0 ? refuse(a, b, 'divided because the divisor is zero') : x / y
  }
  return typeof a === 'string' && typeof b === 'string' ? splitText(a, b) : refuse(a, b, 'divided')
}

/** The parts of a string between the separators; an empty string has no parts. */
export function splitText(text: string, separator: string): Value[] {
  if (text === '') return []
  spend(text.length >>> 4)
  const parts = separator === '' ? [...text] : text.split(separator)
  allocate(text.length * 2 + HEADER_BYTES + parts.length * (SLOT_BYTES + HEADER_BYTES))
  return parts
}

const remainder: Operation = (a, b) => {
  const x = toDouble(a)
  const y = toDouble(b)
  if (x === undefined || y === undefined) return refuse(a, b, 'divided')
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  const divisor = toInt64(y)
  if (divisor === 0n) return refuse(a, b, 'divided (remainder) because the divisor is zero')
  const magnitude = toInt64(x)
  const result = (magnitude < 0n ? -magnitude : magnitude) % (divisor < 0n ? -divisor : divisor)
  return Number(magnitude < 0n ? -result : result)
}

const INT64_MAX = 2n ** 63n - 1n

/** The whole number that a double is converted to, kept within 64 bits. */
function toInt64(value: number): bigint {
  if (value >= 2 ** 63) return INT64_MAX
  return value <= -(2 ** 63) ? -INT64_MAX : BigInt(Math.trunc(value))
}

export function negate(value: Value): Value {
  const double = toDouble(value)
  if (double === undefined) throw new JqError(`${describe(value)} cannot be negated`)
  return -double
}

/** What each operator does with a left and a right value. */
export const OPERATIONS: Readonly<Record<BinaryOperator, Operation>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
  '==': equals,
  '!=': (a, b) => !equals(a, b),
  '<': (a, b) => compare(a, b) < 0,
  '<=': (a, b) => compare(a, b) <= 0,
  '>': (a, b) => compare(a, b) > 0,
  '>=': (a, b) => compare(a, b) >= 0,
}
