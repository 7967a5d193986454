import type { FileStat } from './file-stat.js'
import type { FollowedFile } from './followed-file.js'
import { isSealed, type ReadPosition, type Seal } from './read-position.js'

/**
 * The states of a followed name, and what is done in each for what `stat` shows under the name. Everything in this file is
 * pure: poll.ts and rotation.ts have the effects. docs/following.md has a diagram.
 */

export type FollowState =
  /** No file is being read. */
  | 'waiting'
  /** Another name reads the file under this name, or the file that it is a copy of. */
  | 'deferring'
  /** The last file is finished, and its successor is known. */
  | 'succeeding'
  /** A file is being read. */
  | 'reading'
  /** The name leads to a successor. The rest of the old file is read first. */
  | 'draining'
  /** The file was read to its end and is not followed: it is compressed, or not text. */
  | 'finished'

/** `same`: the file that is being read, or that another name reads in the state `deferring`. */
export type Observation = 'same' | 'other' | 'nothing' | 'notAFile' | 'unreadable'

export type Action =
  | 'start'
  | 'startSuccessor'
  | 'read'
  /** Compare a finished file with what it was. */
  | 'compare'
  /** Read the rest of a file that lost its name. */
  | 'drain'
  /** Read the open file: whether the name still leads to it is unknown. */
  | 'readOpen'
  | 'reportAbsence'
  | 'wait'

const REPORT_ABSENCE = { nothing: 'reportAbsence', notAFile: 'reportAbsence', unreadable: 'reportAbsence' } as const
const DRAIN = { other: 'drain', nothing: 'drain', notAFile: 'drain', unreadable: 'readOpen' } as const

export const FOLLOW_TABLE: Readonly<Record<FollowState, Readonly<Record<Observation, Action>>>> = {
  waiting: { same: 'start', other: 'start', ...REPORT_ABSENCE },
  deferring: { same: 'wait', other: 'start', ...REPORT_ABSENCE },
  succeeding: {
    same: 'startSuccessor',
    other: 'startSuccessor',
    nothing: 'startSuccessor',
    notAFile: 'startSuccessor',
    unreadable: 'startSuccessor',
  },
  reading: { same: 'read', ...DRAIN },
  // The name was given back to the old file: it is read on, and the successor is given up.
  draining: { same: 'read', ...DRAIN },
  finished: { same: 'compare', ...DRAIN },
}

/** What the state of a name is computed from. */
export type StateFields = Pick<FollowedFile, 'position' | 'successor' | 'waitsFor'>

/**
 * What is to be done for a name.
 *
 * @example
 * actionFor(followed, undefined) // 'reportAbsence'
 */
export function actionFor(followed: StateFields, stat: FileStat): Action {
  return FOLLOW_TABLE[stateOf(followed)][observe(followed, stat)]
}

export function stateOf({ position, successor, waitsFor }: StateFields): FollowState {
  if (position) return position.isComplete ? 'finished' : successor ? 'draining' : 'reading'
  if (successor) return 'succeeding'
  return isStillRead(waitsFor) ? 'deferring' : 'waiting'
}

/** Whether the other name has not finished the file yet. */
export function isStillRead(waitsFor: FollowedFile['waitsFor']): boolean {
  if (!waitsFor) return false
  const { reader, position } = waitsFor
  return reader.position === position || reader.successor?.position === position
}

function observe({ position, waitsFor }: StateFields, stat: FileStat): Observation {
  if (stat === undefined) return 'nothing'
  if (stat.kind === 'unreadable') return 'unreadable'
  if (stat.kind !== 'file') return 'notAFile'
  return stat.key === (position ?? waitsFor)?.key ? 'same' : 'other'
}

/** How a finished file compares with what it was when it was read. */
export function compareFinished(
  position: ReadPosition,
  before: Seal | undefined,
  stat: Seal,
): 'unchanged' | 'replaced' | 'emptied' {
  if (position.sealed && !isSealed(position, stat)) return 'replaced'
  return before !== undefined && stat.size < before.size ? 'emptied' : 'unchanged'
}

/** How long a file that lost its name is read after its successor has data: its writer may not have reopened the log yet. */
const GRACE = 200
const LONGEST_GRACE = 10_000

/** A deleted file occupies the disk for as long as it is open. */
const LONGEST_HOLD = 5000

/** The old file during a rotation; times are in milliseconds. */
export interface Drain {
  readonly successor: 'none' | 'empty' | 'hasData'
  /** The name leads to yet another file. */
  readonly isSuccessorReplaced: boolean
  readonly isDeleted: boolean
  /** Nothing is waited for. */
  readonly once: boolean
  /** Since bytes were last read from the old file. */
  readonly sinceRead: number
  /** Since the successor was first seen to have data. */
  readonly sinceSuccessorHasData: number
  /** Since the old file was first seen to be deleted. */
  readonly sinceDeleted: number
}

/** Whether the old file can be finished: nothing more is expected in it. */
export function isDrained(drain: Drain): boolean {
  const { successor, sinceRead, sinceSuccessorHasData, sinceDeleted } = drain
  if (successor !== 'none' && drain.isSuccessorReplaced) return true
  if (successor !== 'hasData') return drain.isDeleted && Math.min(sinceRead, sinceDeleted) >= LONGEST_HOLD
  return drain.once || Math.min(sinceSuccessorHasData, sinceRead) >= GRACE || sinceSuccessorHasData >= LONGEST_GRACE
}

/** Every rotation leaves a name without a file for a moment, which is not reported. */
const LONG_GONE = 15_000

/** What is known of a name that leads to no file. */
export interface Absence {
  readonly once: boolean
  readonly isReading: boolean
  readonly hasExisted: boolean
  /** The name was given, or a glob still matches it. */
  readonly isExpected: boolean
  /** Milliseconds since the name last led to something. */
  readonly goneFor: number
}

/** What to report about a name that leads to no file. */
export function describeAbsence(
  stat: FileStat,
  { once, isReading, hasExisted, isExpected, goneFor }: Absence,
): { readonly level: 'problem' | 'warning'; readonly message: string } | undefined {
  if (stat?.kind === 'folder') return { level: 'problem', message: 'is a folder now: waiting for a file' }
  if (stat?.kind === 'stream') return { level: 'problem', message: 'is not a regular file now: waiting for one' }
  if (stat !== undefined) return undefined
  if (once) return isReading ? undefined : { level: 'problem', message: 'no such file' }
  if (!hasExisted) return { level: 'warning', message: 'does not exist yet: waiting for it' }
  if (!isExpected || goneFor < LONG_GONE) return undefined
  return { level: 'warning', message: 'gone: waiting for it to come back' }
}
