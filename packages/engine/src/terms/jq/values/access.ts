import { allocate, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import { charge, chargeObject, describe } from './arithmetic.js'
import { equals } from './compare.js'
import {
  codePointCount,
  isArray,
  isObject,
  JqError,
  type JqObject,
  lookUp,
  type ObjectDraft,
  storedKey,
  toDouble,
  typeName,
  unitIndex,
  type Value,
} from './value.js'

/** The start and the end of a slice, counted in elements or code points. */
interface Range {
  readonly start: number
  readonly end: number
}

/** `target[key]` for any key: a field, an element, a slice as `{start, end}`, or the places of an array in an array. */
export function index(target: Value, key: Value): Value {
  if (typeof key === 'string') return field(target, key)
  const position = toDouble(key)
  if (position !== undefined && isArray(target)) return element(target, position)
  if (position !== undefined && target === null) return null
  if (isObject(key) && (target === null || isArray(target) || typeof target === 'string')) return slice(target, key)
  if (isArray(key) && isArray(target)) return occurrences(target, key)
  throw cannotIndex(target, key)
}

function cannotIndex(target: Value, key: Value): JqError {
  const what = typeof key === 'string' ? `string "${key}"` : typeName(key)
  return new JqError(`Cannot index ${typeName(target)} with ${what}`)
}

export function field(target: Value, key: string): Value {
  if (isObject(target)) return lookUp(target, key) ?? null
  if (target === null) return null
  throw cannotIndex(target, key)
}

function element(items: readonly Value[], position: number): Value {
  if (Number.isNaN(position)) return null
  const at = Math.trunc(position)
  return items[at < 0 ? at + items.length : at] ?? null
}

function slice(target: Value, key: JqObject): Value {
  if (target === null) return null
  if (typeof target === 'string') {
    const { start, end } = readRange(key, codePointCount(target))
    spend((target.length >>> 6) + 1)
    if (start >= end) return ''
    allocate(HEADER_BYTES)
    return target.slice(unitIndex(target, start), unitIndex(target, end))
  }
  const items = target as readonly Value[]
  const { start, end } = readRange(key, items.length)
  if (start >= end) return []
  charge(end - start)
  return items.slice(start, end)
}

export function sliceKey(from: Value, to: Value): JqObject {
  return { start: from, end: to }
}

/** The range that `{start, end}` means for something of this length: negative numbers count from its end. */
function readRange(key: JqObject, length: number): Range {
  const start = readBound(key.start, 0, length)
  const end = readBound(key.end, length, length)
  return { start: Math.floor(start), end: Math.max(Math.floor(start), Math.ceil(end)) }
}

function readBound(bound: Value | undefined, fallback: number, length: number): number {
  if (bound === null) return fallback
  const value = bound === undefined ? undefined : toDouble(bound)
  if (value === undefined) throw new JqError('Array/string slice indices must be integers')
  const counted = value < 0 ? value + length : value
  return counted > 0 ? Math.min(counted, length) : 0
}

/** The positions at which `part` occurs in `items`. */
export function occurrences(items: readonly Value[], part: readonly Value[]): Value {
  if (part.length === 0) return []
  const found: number[] = []
  for (let i = 0; i + part.length <= items.length; i++) {
    spend(1)
    let same = 0
    while (same < part.length && equals(items[i + same]!, part[same]!)) same++
    if (same === part.length) found.push(i)
  }
  allocate(HEADER_BYTES + found.length * SLOT_BYTES)
  return found
}

/** A copy of `target` with the value at `key` replaced; null becomes the array or object that the key needs. */
export function withKey(target: Value, key: Value, value: Value): Value {
  if (typeof key === 'string' && (target === null || isObject(target))) return withField(target ?? {}, key, value)
  const position = toDouble(key)
  if (position !== undefined && (target === null || isArray(target))) return withElement(target ?? [], position, value)
  if (isObject(key) && (target === null || isArray(target))) return withSlice(target ?? [], key, value)
  if (isObject(key) && typeof target === 'string') throw new JqError('Cannot update string slices')
  if (isArray(key) && isArray(target)) throw new JqError('Cannot update field at array index of array')
  throw cannotIndex(target, key)
}

function withField(target: JqObject, key: string, value: Value): JqObject {
  chargeObject(Object.keys(target).length + 1)
  const copy: ObjectDraft = { ...target }
  copy[storedKey(key)] = value
  return copy
}

function withElement(items: readonly Value[], position: number, value: Value): Value {
  if (Number.isNaN(position)) throw new JqError('Cannot set array element at NaN index')
  const at = Math.trunc(position) + (position < 0 ? items.length : 0)
  if (at < 0) throw new JqError('Out of bounds negative array index')
  charge(Math.max(items.length, at + 1))
  const copy = [...items]
  while (copy.length < at) copy.push(null)
  copy[at] = value
  return copy
}

function withSlice(items: readonly Value[], key: JqObject, value: Value): Value {
  const { start, end } = readRange(key, items.length)
  if (!isArray(value)) throw new JqError('A slice of an array can only be assigned another array')
  charge(items.length + value.length)
  return [...items.slice(0, start), ...value, ...items.slice(end)]
}

/** A copy of `target` without these keys, all of which are resolved before any is removed. */
export function withoutKeys(target: Value, keys: readonly Value[]): Value {
  if (target === null || keys.length === 0) return target
  if (isObject(target)) {
    chargeObject(Object.keys(target).length)
    const copy: ObjectDraft = { ...target }
    for (const key of keys) {
      if (typeof key !== 'string') throw new JqError(`Cannot delete ${typeName(key)} field of object`)
      delete copy[storedKey(key)]
    }
    return copy
  }
  if (!isArray(target)) throw new JqError(`Cannot delete fields from ${typeName(target)}`)
  charge(target.length)
  const gone = new Set<number>()
  for (const key of keys) markGone(target.length, key, gone)
  return target.filter((_, i) => !gone.has(i))
}

function markGone(length: number, key: Value, gone: Set<number>): void {
  const position = toDouble(key)
  if (position !== undefined) {
    gone.add(Math.trunc(position) + (position < 0 ? length : 0))
    return
  }
  if (!isObject(key)) throw new JqError(`Cannot delete ${typeName(key)} element of array`)
  const { start, end } = readRange(key, length)
  spend(end - start)
  for (let i = start; i < end; i++) gone.add(i)
}

/** Whether an array or an object has this key. */
export function hasKey(target: Value, key: Value): boolean {
  if (target === null) return false
  if (isObject(target) && typeof key === 'string') return lookUp(target, key) !== undefined
  const position = toDouble(key)
  if (isArray(target) && position !== undefined)
    return Math.trunc(position) >= 0 && Math.trunc(position) < target.length
  throw new JqError(`Cannot check whether ${typeName(target)} has a ${typeName(key)} key`)
}

/** The elements of an array or the values of an object. */
export function valuesOf(target: Value): readonly Value[] {
  if (isArray(target)) return target
  if (isObject(target)) {
    const values = Object.values(target)
    allocate(values.length * SLOT_BYTES)
    return values
  }
  throw new JqError(`Cannot iterate over ${describe(target)}`)
}
