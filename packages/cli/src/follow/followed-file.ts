import type { CustomTimestamp, Warn } from '@omen/engine'
import { Failure } from '../failure.js'
import { describeReadError } from '../sources/read-error.js'
import type { Source } from '../sources/source.js'
import type { FileStat } from './file-stat.js'
import type { OpenCopy } from './find-rotated.js'
import type { Clock } from './follow-options.js'
import type { Matching } from './matching.js'
import type { LinePosition, ReadPosition, Seal } from './read-position.js'
import type { AbsentNames } from './saved/absent-names.js'

/**
 * A name that is followed, as `tail -F` does, through all files that it leads to one after the other. They share one
 * matching. states.ts says what is done with it.
 */
export interface FollowedFile {
  /** As it was given: messages use it. */
  readonly path: string
  readonly source: Source
  readonly group: Group
  timestamp: CustomTimestamp | undefined
  readonly matching: Matching
  /** In the file that is being read, which is not always the one that the name leads to now. */
  position: ReadPosition | undefined
  /** The descriptor of that file; undefined while it is not open. */
  file: number | undefined
  /** Its decoded data, if it is packed, while it is read. */
  unpacked: OpenCopy | undefined
  /** Its size and time when it was last read to its end. */
  lastRead: Seal | undefined
  /** What the name led to when it was last polled. */
  stat: FileStat
  /** When bytes were last read, and when the name last led to something; `clock.elapsed()`. */
  lastReadAt: number
  lastSeenAt: number
  /** The file that the name was later seen to lead to. It is read after the present one. */
  successor: { readonly position: ReadPosition; file: number | undefined } | undefined
  /** When the successor was first seen to have data. */
  successorHasDataAt: number | undefined
  /** When the file was first seen to be deleted. */
  deletedAt: number | undefined
  /** The next bytes come from another file than those before. */
  startsNewFile: boolean
  /** Zero bytes are skipped: the file was truncated while its writer kept its offset. */
  skipsZeros: boolean
  /** Another name reads the file with this key, or the one that it is a copy of. */
  waitsFor: { readonly reader: FollowedFile; readonly position: ReadPosition; readonly key: string } | undefined
  /**
   * The older piece of the same log, if both were found together: this name is read when that was read to its end, and then has its
   * rule state. The other piece knows this one as its `newerPiece`.
   */
  olderPiece: FollowedFile | undefined
  newerPiece: FollowedFile | undefined
  /** When it was last polled, there was no more to read. */
  isCaughtUp: boolean
  /** The last run read the file, and this one has not yet: lost data is worth a warning. */
  isResumed: boolean
  /** The name has led to something, in this run or the last. */
  hasExisted: boolean
  /** The name was given, or a glob matched it when files were last listed: its absence is worth a warning. */
  isExpected: boolean
  /** The last message that was reported; undefined when all is well. */
  lastReported: string | undefined
  /** It has changed since the state was saved. */
  isDirty: boolean
  /** The JSON that was saved then. */
  savedText: string | undefined
}

/**
 * Files among which a rotation renames: one that was read under one name is not read again under another. They are those of
 * an entry of a data source file, or all files on the command line.
 */
export interface Group {
  readonly name: string
  /** The name that reads a file, or will read it next, by the key of the file. */
  readonly owners: Map<string, FollowedFile>
  /** The positions in files that were finished, by key, the latest last. */
  readonly finished: Map<string, ReadPosition>
  /** By absolute path. */
  readonly files: Map<string, FollowedFile>
  readonly absent: AbsentNames
}

export interface FollowContext {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Read what is there, wait for nothing. */
  readonly once: boolean
  readonly problem: (message: string) => void
  readonly warn: Warn
  /** Records that a name has a file or a detector open, so that their number stays limited. */
  readonly use: (followed: FollowedFile) => void
}

/** The most finished files that are remembered for each group. */
const MAX_FINISHED = 256

/** Makes a file the one that the name reads. */
export function own(followed: FollowedFile, position: ReadPosition): void {
  followed.position = position
  followed.group.finished.delete(position.key)
  followed.group.owners.set(position.key, followed)
  followed.isDirty = true
}

/** Makes an open file the one that the name reads next. No other name starts to read it. */
export function ownSuccessor(followed: FollowedFile, position: ReadPosition, file: number): void {
  followed.successor = { position, file }
  followed.group.owners.set(position.key, followed)
  followed.isDirty = true
}

/** Gives a file up, unless another name found that its key belongs to a new file. */
export function disown(followed: FollowedFile, { key }: ReadPosition): void {
  if (followed.group.owners.get(key) === followed) followed.group.owners.delete(key)
}

/** The whole lines read of the present file, with those before its start. The matching forgets them at the end. */
export function linesRead({ position, matching }: FollowedFile): number {
  return position?.isComplete ? position.lines : matching.linesOfFile
}

/** The position with its lines counted. */
export function countedPosition(followed: FollowedFile): ReadPosition {
  return { ...followed.position!, lines: linesRead(followed) }
}

/** Remembers how far a finished file was read. A file of which no byte was read could not be recognized. */
export function remember({ finished }: Group, position: ReadPosition): void {
  finished.delete(position.key)
  if (position.offset === 0) return
  finished.set(position.key, position)
  for (const key of finished.keys()) {
    if (finished.size <= MAX_FINISHED) break
    finished.delete(key)
  }
}

/** Remembers what was read of a file whose key now belongs to other content: a copy of the old content can still appear. */
export function rememberContent(group: Group, position: ReadPosition): void {
  remember(group, { ...position, key: `${position.key}~${position.offset}` })
}

/** From where a detector without state has to read: the last entry may not have been matched yet. */
export function restartPosition({ position, matching }: FollowedFile): LinePosition {
  if (!position) return { offset: 0, lines: 0 }
  if (!matching.isPending) return { offset: position.lineEnd, lines: matching.linesOfFile }
  if (matching.isUntouched) return position.start
  return { offset: position.lineStart, lines: Math.max(0, matching.linesOfFile - 1) }
}

/** Reports a message, unless it was the last one reported for the name. */
export function reportOnce(followed: FollowedFile, report: (message: string) => void, message: string): void {
  if (followed.lastReported === message) return
  followed.lastReported = message
  report(`${followed.path}: ${message}`)
}

/** Whether an error says that a file cannot be read, which is reported and survived. Any other error is a defect. */
export function isReadError(error: unknown): error is Error {
  return error instanceof Failure || typeof (error as NodeJS.ErrnoException).syscall === 'string'
}

export function explain(error: Error): string {
  return error instanceof Failure ? error.message : describeReadError(error)
}
