import { describe } from './arithmetic.js'
import { spend } from './budget.js'
import { equals } from './compare.js'
import { isArray, isObject, JqError, typeName, type Value } from './value.js'

/** Whether `part` is contained in `whole`: as a piece of text, among the elements, or as a part of an object. */
export function contains(whole: Value, part: Value): boolean {
  if (kind(whole) !== kind(part)) {
    throw new JqError(`${describe(whole)} and ${describe(part)} cannot have their containment checked`)
  }
  return includes(whole, part)
}

/** True and false are kinds of their own here. */
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
