import { allocate, HEADER_BYTES, SLOT_BYTES, spend } from '../evaluation.js'
import { index, valuesOf } from '../values/access.js'
import { charge, describe } from '../values/arithmetic.js'
import { compare, compareCounted, equals, sorted } from '../values/compare.js'
import { isArray, JqError, toDouble, typeName, type Value } from '../values/value.js'
import { lengthOf } from './core.js'
import type { FunctionTable } from './index.js'

/** Builtins for arrays. Those that take a filter are in `ordering.ts`. */
export const ARRAY_FUNCTIONS: FunctionTable = {
  'reverse/0': (input) => {
    if (!isArray(input)) return withoutItems(input)
    charge(input.length)
    return [...input].reverse()
  },
  'sort/0': (input) => {
    if (!isArray(input)) throw new JqError(`${describe(input)} cannot be sorted, as it is not an array`)
    charge(input.length)
    return sorted(input)
  },
  'unique/0': (input) => {
    if (!isArray(input)) throw new JqError(`${describe(input)} cannot be sorted, as it is not an array`)
    charge(input.length)
    return sorted(input).filter((item, i, all) => i === 0 || !same(item, all[i - 1]!))
  },
  'min/0': (input) => extreme(input, -1),
  'max/0': (input) => extreme(input, 1),
  'flatten/0': (input) => flatten(input, Number.POSITIVE_INFINITY),
  'flatten/1': (input, depth) => {
    if (compare(depth!, 0) < 0) throw new JqError('flatten depth must not be negative')
    const levels = toDouble(depth!)
    // Counting down by ones never reaches zero from a fraction.
    return flatten(input, levels === undefined || !Number.isInteger(levels) ? Number.POSITIVE_INFINITY : levels)
  },
  'transpose/0': transpose,
  'bsearch/1': (input, target) => search(input, target!),
}

/** A value that is not an array has no items to reverse; it is an error only if its length is not 0. */
function withoutItems(input: Value): Value {
  if (lengthOf(input) === 0) return []
  throw new JqError(`Cannot index ${typeName(input)} with number`)
}

/** NaN is not the same as itself. */
function same(a: Value, b: Value): boolean {
  return compareCounted(a, b) === 0
}

function extreme(input: Value, sign: 1 | -1): Value {
  if (!isArray(input)) throw new JqError(`${describe(input)} cannot be iterated over`)
  spend(input.length)
  let best: Value | undefined
  for (const item of input) {
    // Of equal items, the first is the least and the last is the greatest.
    const order = best === undefined ? 0 : compare(item, best) * sign
    if (best === undefined || order > 0 || (order === 0 && sign > 0)) best = item
  }
  return best ?? null
}

function flatten(input: Value, depth: number): Value {
  const result: Value[] = []
  const stack: { items: readonly Value[]; at: number }[] = [{ items: valuesOf(input), at: 0 }]
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!
    if (top.at === top.items.length) {
      stack.pop()
      continue
    }
    const item = top.items[top.at++]!
    spend(1)
    if (isArray(item) && stack.length <= depth) {
      stack.push({ items: item, at: 0 })
    } else {
      allocate(SLOT_BYTES)
      result.push(item)
    }
  }
  return result
}

/** As wide as the longest row; a row that cannot be indexed is an error. */
function transpose(input: Value): Value {
  const rows = valuesOf(input)
  const width = Math.ceil(rows.reduce<number>((most, row) => Math.max(most, lengthOf(row)), 0))
  spend(rows.length * width + 1)
  allocate(width * (HEADER_BYTES + rows.length * SLOT_BYTES))
  return Array.from({ length: width }, (_, i) => rows.map((row) => index(row, i)))
}

function search(input: Value, target: Value): Value {
  if (!isArray(input)) return withoutItems(input) && -1
  let low = 0
  let high = input.length - 1
  while (low <= high) {
    spend(1)
    const middle = (low + high) >>> 1
    const order = compare(input[middle]!, target)
    if (order === 0 && equals(input[middle]!, target)) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -1 - low
}
