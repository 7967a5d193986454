import type { Progress } from '@omen/engine'
import { type Amount, amountOf } from '../matching/events.js'

/** Adds up what a detector reads, which counts from zero again whenever it is used for another log. */
export interface ReadAmount {
  /** Runs a function that makes the detector read, and adds what it has read. */
  during<T>(detector: { readonly progress: Progress }, read: () => T): T
  readonly total: Amount
}

/** Nothing was read. */
export const NOTHING_READ: Amount = {
  bytes: 0,
  lines: 0,
  entries: 0,
  inRange: 0,
  folded: 0,
  late: 0,
  formats: [],
  first: undefined,
  last: undefined,
  binaries: 0,
}

const COUNTS = ['bytes', 'lines', 'entries', 'inRange', 'folded', 'late', 'binaries'] as const

/** Creates an amount of zero. */
export function createReadAmount(): ReadAmount {
  let total = NOTHING_READ
  return {
    during(detector, read) {
      const before = amountOf(detector.progress)
      const result = read()
      const after = amountOf(detector.progress)
      const since = Object.fromEntries(COUNTS.map((name) => [name, after[name] - before[name]]))
      total = addAmounts(total, { ...after, ...since })
      return result
    },
    get total() {
      return total
    },
  }
}

/**
 * Adds two amounts.
 *
 * @example
 * const total = amounts.reduce(addAmounts, NOTHING_READ)
 */
export function addAmounts(a: Amount, b: Amount): Amount {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, a[name] + b[name]])) as Pick<
    Amount,
    (typeof COUNTS)[number]
  >
  return {
    ...counts,
    formats: b.formats.every((name) => a.formats.includes(name))
      ? a.formats
      : [...new Set([...a.formats, ...b.formats])],
    first: b.first === undefined || (a.first !== undefined && a.first <= b.first) ? a.first : b.first,
    last: b.last === undefined || (a.last !== undefined && a.last >= b.last) ? a.last : b.last,
  }
}
