import type { Alternative, Plan } from '../../condition.js'
import type { JqNode } from '../parse/ast.js'
import { IN_DOCUMENT, truthy } from './require.js'
import { ANYTHING, type Requirement } from './requirement.js'

/**
 * What an entry must contain, byte for byte, for a filter to match it: one of the alternatives. Null when nothing is
 * required. An entry that writes characters as `\u…` has to be tested in any case, so that is one of the alternatives.
 *
 * @example
 * planJq(parseJq('.level == "error"')) // an entry with `error` or with `\u`
 */
export function planJq(node: JqNode): Plan {
  const requirement = safely(() => truthy(node, { dot: IN_DOCUMENT, variables: new Map() }))
  if (requirement === null || requirement.length === 0) return null
  return [...requirement.map(({ text, fold }) => alternative(text, fold)), alternative('\\u', false)]
}

function alternative(text: string, fold: boolean): Alternative {
  return { needles: [{ text, fold }], gaps: [0], exact: false }
}

/** A filter that is too deeply nested for this is left without a plan. */
function safely(run: () => Requirement): Requirement {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) return ANYTHING
    throw error
  }
}
