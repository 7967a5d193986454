import type { Problem } from '@omen/engine'

/** What a run came to. */
export interface Outcome {
  readonly problems: readonly Pick<Problem, 'cre'>[]
  /** Something that was asked for could not be done: data that cannot be read, a notification that was not delivered. */
  readonly failed: boolean
  /** The exit code of the signal that interrupted it. */
  readonly interrupted: number | undefined
  /** The severity from which on problems count. */
  readonly failOn: number | undefined
}

/** The exit code: an interruption goes before an error, an error before problems. */
export function exitCodeOf({ problems, failed, interrupted, failOn }: Outcome): number {
  if (interrupted !== undefined) return interrupted
  if (failed) return 1
  // A record without severity counts as critical.
  const isSevere = failOn !== undefined && problems.some(({ cre }) => (cre.severity ?? 0) <= failOn)
  return isSevere ? 3 : 0
}
