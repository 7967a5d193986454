import { allocate, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import { hasKey, valuesOf } from '../values/access.js'
import { add, describe } from '../values/arithmetic.js'
import { equals } from '../values/compare.js'
import { format, toText } from '../values/formats.js'
import { parseExactly } from '../values/json-parse.js'
import { toJson } from '../values/json-text.js'
import {
  codePointCount,
  compareStrings,
  isArray,
  isObject,
  isTruthy,
  JqError,
  keysOf,
  lookUp,
  type ObjectDraft,
  plainKey,
  storedKey,
  toDouble,
  typeName,
  type Value,
} from '../values/value.js'
import type { FunctionTable } from './index.js'

/** Builtins for values of any type, and conversions between types. */
export const CORE_FUNCTIONS: FunctionTable = {
  'not/0': (input) => !isTruthy(input),
  'type/0': typeName,
  'length/0': lengthOf,
  'utf8bytelength/0': byteLength,
  'keys/0': (input) => keys(input, true),
  'keys_unsorted/0': (input) => keys(input, false),
  'has/1': (input, key) => hasKey(input, key!),
  'contains/1': (input, part) => contains(input, part!),
  'to_entries/0': toEntries,
  'from_entries/0': fromEntries,
  'add/0': (input) => sum(valuesOf(input)),
  'tojson/0': toJson,
  'fromjson/0': fromJson,
  'tostring/0': toText,
  'tonumber/0': toNumber,
  'toboolean/0': toBoolean,
  'tobool/0': toBoolean,
  'toarray/0': (input) => (isArray(input) ? input : [input]),
  'format/1': (input, name) => {
    if (typeof name !== 'string') throw new JqError(`${describe(name!)} is not a valid format`)
    return format(name, input)
  },
  'env/0': () => ({}),
  'input_line_number/0': () => 0,
  'input_filename/0': () => null,
  'have_literal_numbers/0': () => true,
  'have_decnum/0': () => true,
  'get_prog_origin/0': () => null,
  'get_jq_origin/0': () => null,
  'modulemeta/0': () => {
    throw new JqError('modules are not available')
  },
  'debug/0': (input) => input,
  'stderr/0': (input) => input,
  'input/0': () => {
    throw new JqError('break')
  },
}

export function lengthOf(input: Value): number {
  if (typeof input === 'string') {
    spend(input.length >>> 6)
    return codePointCount(input)
  }
  if (isArray(input)) return input.length
  if (input === null) return 0
  if (isObject(input)) return Object.keys(input).length
  const double = toDouble(input)
  if (double === undefined) throw new JqError(`${describe(input)} has no length`)
  return Math.abs(double)
}

function byteLength(input: Value): Value {
  if (typeof input !== 'string') throw new JqError(`${describe(input)} only strings have UTF-8 byte length`)
  spend(input.length >>> 4)
  return new TextEncoder().encode(input).length
}

function keys(input: Value, sort: boolean): Value {
  if (isArray(input)) {
    allocate(HEADER_BYTES + input.length * SLOT_BYTES)
    return [...input.keys()]
  }
  if (!isObject(input)) throw new JqError(`${describe(input)} has no keys`)
  const names = keysOf(input)
  spend(names.length)
  allocate(HEADER_BYTES + names.length * SLOT_BYTES)
  return sort ? names.sort(compareStrings) : names
}

function toEntries(input: Value): Value {
  const names = keys(input, false) as readonly (string | number)[]
  allocate(names.length * (HEADER_BYTES + 2 * SLOT_BYTES))
  if (isArray(input)) return input.map((value, key) => ({ key, value }))
  return Object.entries(input as ObjectDraft).map(([key, value]) => ({ key: plainKey(key), value }))
}

const KEY_NAMES = ['key', 'Key', 'name', 'Name']

function fromEntries(input: Value): Value {
  const made: ObjectDraft = {}
  for (const entry of valuesOf(input)) {
    spend(1)
    allocate(SLOT_BYTES)
    if (entry !== null && !isObject(entry)) throw new JqError(`Cannot index ${typeName(entry)} with string "key"`)
    const names = KEY_NAMES.map((name) => (entry === null ? null : (lookUp(entry, name) ?? null)))
    const key = names.find(isTruthy) ?? names[names.length - 1]!
    if (typeof key !== 'string') throw new JqError(`Cannot use ${describe(key)} as object key`)
    const { value = null, Value: other = null } = entry as ObjectDraft
    made[storedKey(key)] = 'value' in (entry as ObjectDraft) ? value : other
  }
  return made
}

/** Adds from left to right. Strings and arrays are joined at once, because doing it pair by pair would be quadratic. */
export function sum(values: readonly Value[]): Value {
  spend(values.length)
  if (values.length > 2 && values.every((value) => typeof value === 'string')) {
    allocate(values.reduce<number>((bytes, value) => bytes + (value as string).length * 2, 0))
    return values.join('')
  }
  if (values.length > 2 && values.every(isArray)) {
    allocate(values.reduce<number>((bytes, value) => bytes + (value as Value[]).length * SLOT_BYTES, HEADER_BYTES))
    return (values as readonly (readonly Value[])[]).flat() as Value[]
  }
  return values.reduce(add, null)
}

function fromJson(input: Value): Value {
  if (typeof input !== 'string') throw new JqError(`${describe(input)} only strings can be parsed`)
  spend(input.length >>> 2)
  allocate(input.length * 8)
  const value = parseExactly(input, true)
  if (value === undefined) throw new JqError(`${describe(input)} is not valid JSON`)
  return value
}

function toNumber(input: Value): Value {
  if (toDouble(input) !== undefined) return input
  if (typeof input === 'string') {
    const value = parseExactly(input, true)
    if (value !== undefined && toDouble(value) !== undefined) return value
  }
  throw new JqError(`${describe(input)} cannot be parsed as a number`)
}

function toBoolean(input: Value): Value {
  if (typeof input === 'boolean') return input
  if (input === 'true' || input === 'false') return input === 'true'
  throw new JqError(`${describe(input)} cannot be parsed as a boolean`)
}

/** Whether `part` is contained in `whole`: as a piece of text, among the elements, or as a part of an object. */
function contains(whole: Value, part: Value): boolean {
  if (kind(whole) !== kind(part)) {
    throw new JqError(`${describe(whole)} and ${describe(part)} cannot have their containment checked`)
  }
  return includes(whole, part)
}

/** True and false count as different types here. */
function kind(value: Value): string {
  return typeof value === 'boolean' ? String(value) : typeName(value)
}

function includes(whole: Value, part: Value): boolean {
  spend(1)
  if (typeof whole === 'string' && typeof part === 'string') {
    spend(whole.length >>> 6)
    return whole.includes(part)
  }
  if (isObject(whole) && isObject(part)) {
    return Object.keys(part).every((key) => whole[key] !== undefined && includes(whole[key], part[key]!))
  }
  if (isArray(whole) && isArray(part)) return part.every((item) => whole.some((other) => includes(other, item)))
  return equals(whole, part)
}
