import { defineFailure } from '@omen/engine/messages'

/** An error that the user can solve: the first word of its message, and the exit code of the run. */
export const Failure = defineFailure({
  Usage: 2,
  Config: 1,
  Rules: 1,
  Data: 1,
  State: 1,
  Output: 1,
  Network: 1,
  Cluster: 1,
})
export type Failure = InstanceType<typeof Failure>
export type FailureKind = Failure['kind']
