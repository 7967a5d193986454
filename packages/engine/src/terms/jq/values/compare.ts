import { spend } from '../evaluation.js'
import { compareDecimals } from './number-text.js'
import { compareStrings, Decimal, isObject, type JqObject, plainKey, sortedStoredKeys, type Value } from './value.js'

/** The rank of a value's type in the order of all values. */
function rank(value: Value): number {
  if (value === null) return 0
  switch (typeof value) {
    case 'boolean':
      return value ? 2 : 1
    case 'number':
      return 3
    case 'string':
      return 4
    default:
      return Array.isArray(value) ? 5 : value instanceof Decimal ? 3 : 6
  }
}

/** Below zero, zero or above: the order of `sort` and of `<`. NaN is below every number, NaN included. */
export function compare(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a === b ? 0 : a > b || Number.isNaN(b) ? order(a) : -1
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareStrings(a, b)
  const ranks = rank(a) - rank(b)
  if (ranks !== 0) return ranks
  switch (rank(a)) {
    case 3:
      return compareDecimals(a as number | Decimal, b as number | Decimal)
    case 5:
      return compareArrays(a as readonly Value[], b as readonly Value[])
    case 6:
      return compareObjects(a as JqObject, b as JqObject)
    default:
      return 0
  }
}

/** The result for two doubles of which the first is greater or one is NaN. */
function order(a: number): number {
  return Number.isNaN(a) ? -1 : 1
}

function compareArrays(a: readonly Value[], b: readonly Value[]): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    spend(1)
    const result = compare(a[i]!, b[i]!)
    if (result !== 0) return result
  }
  return a.length - b.length
}

function compareObjects(a: JqObject, b: JqObject): number {
  const keys = sortedStoredKeys(a)
  const others = sortedStoredKeys(b)
  spend(keys.length + others.length + 1)
  const length = Math.min(keys.length, others.length)
  for (let i = 0; i < length; i++) {
    const result = compareStrings(plainKey(keys[i]!), plainKey(others[i]!))
    if (result !== 0) return result
  }
  if (keys.length !== others.length) return keys.length - others.length
  for (const key of keys) {
    const result = compare(a[key]!, b[key]!)
    if (result !== 0) return result
  }
  return 0
}

export function equals(a: Value, b: Value): boolean {
  if (a === b) return !Number.isNaN(a)
  if (typeof a !== 'object' && typeof b !== 'object') return false
  if (isObject(a) && isObject(b)) return equalObjects(a, b)
  return compare(a, b) === 0
}

function equalObjects(a: JqObject, b: JqObject): boolean {
  const keys = Object.keys(a)
  spend(keys.length + 1)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    const other = b[key]
    if (other === undefined || !equals(a[key]!, other)) return false
  }
  return true
}

/** Sorts a copy; equal values keep their order. */
export function sorted(values: readonly Value[]): Value[] {
  spend(values.length)
  return [...values].sort(compareCounted)
}

/** `compare` for sorting, where the comparisons themselves are what takes the time. */
export function compareCounted(a: Value, b: Value): number {
  spend(1)
  return compare(a, b)
}
