import type { Diagnostics } from '../diagnostics.js'
import { entryOf, type MapNode } from '../document/tree.js'
import type { ProblemCode } from '../error.js'

/** Everything that decides whether a set or sequence has the window that it needs. */
interface WindowCase {
  readonly kind: 'set' | 'sequence'
  /** Positive conditions, each counted `count` times. */
  readonly total: number
  readonly map: MapNode
  /** Where the set or sequence starts. */
  readonly at: number
  /** Undefined when there is none, or one that cannot be read. */
  readonly window: bigint | undefined
}

type WindowProblem = readonly [code: ProblemCode, at: number, message: string]

/** Reports a window that is missing, not allowed or not positive, and a sequence with too few conditions. */
export function checkWindow(group: WindowCase, diagnostics: Diagnostics): void {
  const problem = findProblem(group)
  if (problem !== undefined) diagnostics.problem(...problem)
}

function findProblem({ kind, total, map, at, window }: WindowCase): WindowProblem | undefined {
  const given = entryOf(map, 'window')
  if (kind === 'sequence' && total < 2) {
    const message = 'a sequence needs at least two conditions: for one condition write a set'
    return ['too-few-conditions', entryOf(map, 'order')!.start, message]
  }
  if (total === 1) {
    const message = 'window has no meaning with one condition: leave it out, or add conditions'
    return given && ['window-not-allowed', given.start, message]
  }
  if (given === undefined) {
    const message = `window is missing: a ${kind} with more than one condition needs one, such as 5s`
    return ['window-missing', at, message]
  }
  if (window === undefined || window > 0n) return undefined
  const what = window === 0n ? 'zero' : 'negative'
  return ['window-not-positive', given.value.start, `window is ${what}: it must be longer than zero, such as 5s`]
}
