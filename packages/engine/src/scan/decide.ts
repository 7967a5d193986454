import type { Condition } from '../terms/condition.js'
import type { Candidate, CandidateTable } from './candidates.js'
import type { ConditionTest } from './condition-tests.js'
import { EntryTexts } from './envelopes/messages.js'
import type { Filter } from './filter/filter.js'

/** Decides which conditions an entry meets from the needles that were found in it. */
export interface Decider {
  /** Starts an entry whose text is at these addresses. */
  begin(start: number, end: number): void
  /**
   * The next needles are in a text that was derived from that of the entry and written to these addresses. They are not
   * certain to be in a message.
   */
  beginDerived(start: number, end: number): void
  /** A needle was found in the text of the entry, or in the derived text. */
  found(needle: number): void
  /** Every condition may be met by this entry. */
  testAll(): void
  /** Ends the entry and returns how many conditions it meets; they are in `met`, ascending. */
  finish(): number
  readonly met: Uint32Array
}

const UNDECIDED = 0
const MET = 1
/** Its full test decides at the end of the entry, unless its needles have decided by then. */
const NEEDS_TEST = 2

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
  let searchStart = 0
  let searchEnd = 0
  let isDerived = false
  let texts: EntryTexts | undefined

  function settle(condition: number, outcome: number): void {
    if (state[condition] === UNDECIDED) touched[touchedCount++] = condition
    state[condition] = outcome
  }

  function isMet(condition: number): boolean {
    if (state[condition] === MET) return true
    texts ??= new EntryTexts(decode(textStart, textEnd))
    return test(condition)(texts)
  }

  function occurInOrder(candidate: Candidate): boolean {
    const { needles, gaps } = candidate
    let from = searchStart
    for (let i = 0; i < needles.length; i++) {
      const at = filter.find(needles[i], from + gaps[i], searchEnd)
      if (at < 0) return false
      from = at + lengths[needles[i]]
    }
    return true
  }

  function consider(candidate: Candidate): void {
    const outcome = candidate.exact && !isDerived ? MET : NEEDS_TEST
    const now = state[candidate.condition]
    if (now === MET || now === outcome) return
    if (candidate.needles.length > 1 && !occurInOrder(candidate)) return
    settle(candidate.condition, outcome)
  }

  function needTests(conditions: readonly number[]): void {
    for (const condition of conditions) if (state[condition] === UNDECIDED) settle(condition, NEEDS_TEST)
  }

  return {
    met,
    begin(start, end) {
      textStart = searchStart = start
      textEnd = searchEnd = end
      isDerived = false
      texts = undefined
    },
    beginDerived(start, end) {
      searchStart = start
      searchEnd = end
      isDerived = true
    },
    found(needle) {
      const candidates = table.byNeedle[needle]
      for (let i = 0; i < candidates.length; i++) consider(candidates[i])
      if (isOddFold[needle] === 1) needTests(table.folded)
    },
    testAll() {
      for (let condition = 0; condition < conditions.length; condition++) {
        if (state[condition] === UNDECIDED) settle(condition, NEEDS_TEST)
      }
    },
    finish() {
      needTests(table.always)
      let count = 0
      for (let i = 0; i < touchedCount; i++) {
        const condition = touched[i]
        if (isMet(condition)) met[count++] = condition
        state[condition] = UNDECIDED
      }
      touchedCount = 0
      if (count > 1) met.subarray(0, count).sort()
      return count
    },
  }
}
