import type { Condition } from '../terms/condition.js'
import type { Candidate, CandidateTable } from './candidates.js'
import type { Filter } from './filter/filter.js'

/** The full test of a condition, used only if the needles do not decide it. */
export type ConditionTest = (text: string) => boolean

/** Decides which conditions an entry meets from the needles that were found in it. */
export interface Decider {
  /** Starts an entry whose text is at these addresses. */
  begin(start: number, end: number): void
  /** A needle was found in the entry. */
  found(needle: number): void
  /** Ends the entry and returns how many conditions it meets; they are in `met`, ascending. */
  finish(): number
  readonly met: Uint32Array
}

const UNDECIDED = 0
const MET = 1
const NOT_MET = 2

/**
 * Creates a decider for a table of candidates. `test` returns the full test of a condition and `decode` the text between two
 * addresses; both are called only for entries with the needles in the right order.
 */
export function createDecider(
  conditions: readonly Condition[],
  table: CandidateTable,
  filter: Filter,
  test: (condition: number) => ConditionTest,
  decode: (start: number, end: number) => string,
): Decider {
  const met = new Uint32Array(Math.max(1, conditions.length))
  const state = new Uint8Array(conditions.length)
  const touched = new Uint32Array(conditions.length)
  const lengths = Uint32Array.from(table.needles, (needle) => needle.bytes.length)
  const isOddFold = new Uint8Array(table.needles.length)
  for (const needle of table.oddFolds) isOddFold[needle] = 1
  let touchedCount = 0
  let textStart = 0
  let textEnd = 0
  let text: string | undefined

  function settle(condition: number, outcome: number): void {
    if (state[condition] === UNDECIDED) touched[touchedCount++] = condition
    state[condition] = outcome
  }

  function runTest(condition: number): void {
    if (state[condition] !== UNDECIDED) return
    text ??= decode(textStart, textEnd)
    settle(condition, test(condition)(text) ? MET : NOT_MET)
  }

  function occurInOrder(candidate: Candidate): boolean {
    const { needles, gaps } = candidate
    let from = textStart
    for (let i = 0; i < needles.length; i++) {
      const at = filter.find(needles[i], from + gaps[i], textEnd)
      if (at < 0) return false
      from = at + lengths[needles[i]]
    }
    return true
  }

  function consider(candidate: Candidate): void {
    if (state[candidate.condition] !== UNDECIDED) return
    if (candidate.needles.length > 1 && !occurInOrder(candidate)) return
    if (candidate.exact) settle(candidate.condition, MET)
    else runTest(candidate.condition)
  }

  return {
    met,
    begin(start, end) {
      textStart = start
      textEnd = end
      text = undefined
    },
    found(needle) {
      const candidates = table.byNeedle[needle]
      for (let i = 0; i < candidates.length; i++) consider(candidates[i])
      if (isOddFold[needle] === 1) for (const condition of table.folded) runTest(condition)
    },
    finish() {
      for (const condition of table.always) runTest(condition)
      let count = 0
      for (let i = 0; i < touchedCount; i++) {
        const condition = touched[i]
        if (state[condition] === MET) met[count++] = condition
        state[condition] = UNDECIDED
      }
      touchedCount = 0
      if (count > 1) met.subarray(0, count).sort()
      return count
    },
  }
}
