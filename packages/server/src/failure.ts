import { defineFailure } from '@omen/engine/messages'

/** An error that the operator can solve: the first word of its message, and the exit code of the command. */
export const Failure = defineFailure({ Usage: 2, Config: 2, Operator: 1, Database: 1, Start: 1 })
export type Failure = InstanceType<typeof Failure>
export type FailureKind = Failure['kind']
