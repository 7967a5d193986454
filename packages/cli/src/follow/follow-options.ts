import type { CompiledRules, DetectorOptions } from '@omen/engine'
import type { Origin } from '../sources/origin.js'
import type { Source } from '../sources/source.js'
import type { Clock } from './clock.js'
import type { StateFile } from './state-file.js'
import type { Found } from './trail.js'

export interface FollowOptions {
  readonly sources: readonly Source[]
  /** Finds the sources again, with files that are new: called now and then. */
  readonly expand?: () => readonly Source[] | Promise<readonly Source[]>
  /** What opens the files of sources that are not on this machine. */
  readonly origin?: Pick<Origin, 'follow' | 'isOpenEnded'>
  readonly rules: CompiledRules
  readonly detector: Pick<DetectorOptions, 'timestamps' | 'skip' | 'since' | 'until'>
  /** Told of detections as they are made. The state that includes them is saved after this has resolved. */
  readonly found: Found
  /** Told what cannot be read: `<path>: <reason>`. Following goes on. */
  readonly onProblem: (message: string) => void
  readonly onWarning: (message: string) => void
  /** Where the run goes on from, and leaves how far it came. */
  readonly state?: StateFile
  /** What is to be kept in the state for the next run; asked for with every save. */
  readonly outbox?: () => unknown
  /** Reads what is there and returns, without waiting for more. */
  readonly once: boolean
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Told after every round how much was read in all. */
  readonly onProgress?: (amount: FollowedAmount) => void
  /** The descriptor or the path that `-` stands for: 0. */
  readonly standardInput?: number | string
}

export interface FollowedAmount {
  readonly bytes: number
  readonly lines: number
}

export interface FollowOutcome extends FollowedAmount {
  /** Whether the signal ended it; otherwise nothing more can come, or `once` is done. */
  readonly isInterrupted: boolean
  readonly sources: readonly (FollowedAmount & { readonly source: Source })[]
}
