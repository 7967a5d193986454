import type { CompiledRules, Detection, DetectorOptions, Warn } from '@omen/engine'
import type { Amount } from '../matching/events.js'
import type { Origin } from '../sources/origin.js'
import type { Source } from '../sources/source.js'
import type { StateFile } from './saved/state-file.js'

export interface FollowOptions {
  readonly sources: readonly Source[]
  /** Finds the sources again, with their new files. Called regularly. */
  readonly expand?: () => readonly Source[] | Promise<readonly Source[]>
  /** Opens the files of sources that are not on this machine. */
  readonly origin?: Pick<Origin, 'follow' | 'isOpenEnded'>
  readonly rules: CompiledRules
  readonly detector: Pick<DetectorOptions, 'timestamps' | 'skip' | 'since' | 'until'>
  /** Receives detections as they are made. The state that includes them is saved after this has resolved. */
  readonly found: Found
  /** Receives what cannot be read: `<path>: <reason>`. Following continues. */
  readonly onProblem: (message: string) => void
  readonly onWarning: Warn
  /** Where the run continues from, and where it saves its progress. */
  readonly state?: StateFile
  /** What to keep in the state for the next run. Called for every save. */
  readonly outbox?: () => unknown
  /** Read what is there and return, without waiting for more. */
  readonly once: boolean
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Receives the total that was read, after every round. */
  readonly onProgress?: (amount: FollowedAmount) => void
  /** The descriptor or path that `-` stands for: 0. */
  readonly standardInput?: number | string
}

/** `file` is the one in which the last hit was found. */
export type Found = (source: Source, detections: Detection[], file: { readonly path: string }) => void | Promise<void>

/** How much was read, in total and of each source. */
export interface FollowedAmount {
  readonly bytes: number
  readonly lines: number
  readonly sources: readonly { readonly source: Source; readonly amount: Amount }[]
}

export interface FollowOutcome extends FollowedAmount {
  /** Whether the signal ended it; otherwise nothing more can come, or `once` is done. */
  readonly isInterrupted: boolean
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds of a monotonic clock. */
  elapsed(): number
  /** Resolves after this many milliseconds, or as soon as the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const finish = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, milliseconds)
      signal?.addEventListener('abort', finish, { once: true })
    }),
}
