import { iterate } from '../compile/access.js'
import { type Code, computing } from '../compile/code.js'
import { collectCounted } from '../compile/construct.js'
import { allocate, HEADER_BYTES, SLOT_BYTES } from '../evaluation.js'
import { charge, describe } from '../values/arithmetic.js'
import { compareCounted } from '../values/compare.js'
import { isArray, JqError, type Value } from '../values/value.js'
import type { FormTable } from './index.js'

/** An item with what it is ordered by. */
interface Keyed {
  readonly item: Value
  readonly key: readonly Value[]
}

const UNSORTABLE = 'sorted, as they are not both arrays'

/** Builtins that put items in order by the outputs of a filter. */
export const ORDERING_FORMS: FormTable = {
  'sort_by/1': ([by]) => ordering(by!, UNSORTABLE, (items) => order(items).map(({ item }) => item)),
  'group_by/1': ([by]) => ordering(by!, UNSORTABLE, (items) => groups(items)),
  'unique_by/1': ([by]) => ordering(by!, UNSORTABLE, (items) => groups(items).map((group) => group[0]!)),
  'min_by/1': ([by]) => ordering(by!, 'iterated over', (items) => extreme(items, -1)),
  'max_by/1': ([by]) => ordering(by!, 'iterated over', (items) => extreme(items, 1)),
}

function ordering(by: Code, refused: string, arrange: (items: readonly Keyed[]) => Value): Code {
  return computing((input, frame) => {
    const items: Keyed[] = []
    iterate(input, null, false, (item) => {
      allocate(HEADER_BYTES + 2 * SLOT_BYTES)
      items.push({ item, key: collectCounted(by, item, frame) })
      return true
    })
    if (!isArray(input)) {
      throw new JqError(`${describe(input)} and ${describe(items.map(({ key }) => key))} cannot be ${refused}`)
    }
    charge(items.length)
    return arrange(items)
  })
}

function order(items: readonly Keyed[]): Keyed[] {
  return [...items].sort((a, b) => compareCounted(a.key, b.key))
}

function groups(items: readonly Keyed[]): Value[][] {
  const result: Value[][] = []
  let last: Keyed | undefined
  for (const keyed of order(items)) {
    if (last === undefined || compareCounted(last.key, keyed.key) !== 0) result.push([])
    result[result.length - 1]!.push(keyed.item)
    last = keyed
  }
  return result
}

/** Of equal items, the first is the least and the last is the greatest. */
function extreme(items: readonly Keyed[], sign: 1 | -1): Value {
  let best: Keyed | undefined
  for (const keyed of items) {
    const result = best === undefined ? 0 : compareCounted(keyed.key, best.key) * sign
    if (best === undefined || result > 0 || (result === 0 && sign > 0)) best = keyed
  }
  return best === undefined ? null : best.item
}
