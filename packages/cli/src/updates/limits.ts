/** How long things may take, in milliseconds. */
export interface Limits {
  /** A scan waits for a check this long, counted from its start. */
  readonly wait: number
  /** The same where there is no package of rules at all: the scan could find nothing. */
  readonly waitWithoutRules: number
  /** A small answer, in whole: what is newest, keys, signatures. */
  readonly answer: number
  /** The silence in the middle of a download. */
  readonly idle: number
  /** A download in whole, by what it brings. The next run goes on with what is there. */
  readonly download: { readonly rules: number; readonly tool: number }
  /** After something failed, scans leave the service alone for this long: a broken one must not slow down each of them. */
  readonly retry: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND

export const LIMITS: Limits = {
  wait: 300,
  waitWithoutRules: 5 * SECOND,
  answer: 10 * SECOND,
  idle: 15 * SECOND,
  download: { rules: 2 * MINUTE, tool: 30 * MINUTE },
  retry: 10 * MINUTE,
}
