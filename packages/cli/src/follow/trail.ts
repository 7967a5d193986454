import type { CustomTimestamp, Detection } from '@omen/engine'
import { Failure } from '../failure.js'
import { describeReadError } from '../sources/read-error.js'
import type { Source } from '../sources/source.js'
import type { AbsentNames } from './absent-names.js'
import type { Clock } from './clock.js'
import type { Copy } from './find-rest.js'
import type { Look } from './look.js'
import type { Mark } from './mark.js'
import type { Matching } from './matching.js'

/**
 * A name that is followed, as `tail -F` does, through all files that stand under it one after the other. They share one
 * matching.
 */
export interface Trail {
  /** As it was given: this is what messages say. */
  readonly path: string
  readonly source: Source
  readonly group: Group
  timestamp: CustomTimestamp | undefined
  readonly matching: Matching
  /** The file that is being read; not always the one that stands under the name now. */
  mark: Mark | undefined
  /** Its descriptor; undefined while it is not needed. */
  file: number | undefined
  /** What it holds, unpacked, while it is read. */
  unpacked: Copy | undefined
  /** Its size and time of change when it was last looked into. */
  known: { readonly size: number; readonly modified: bigint } | undefined
  /** What the name led to at the last look. */
  look: Look
  /** When bytes came last, and when the name was last seen to lead somewhere; `clock.elapsed()`. */
  readAt: number
  thereAt: number
  /** The file that the name was seen to lead to since; it is read after this one. */
  next: { readonly mark: Mark; file: number | undefined } | undefined
  /** When it was first seen to have data. */
  nextAt: number | undefined
  /** When the file was first seen to be deleted. */
  deletedAt: number | undefined
  /** The next bytes are of another file than those before. */
  isNext: boolean
  /** Bytes of zero are skipped: the file was emptied while its writer goes on where it was. */
  isInHole: boolean
  /** Another trail reads the file that this name leads to, or the one that it is a copy of. */
  waitsFor: { readonly trail: Trail; readonly mark: Mark; readonly key: string } | undefined
  /** The file was there, or is as it was left: what went missing is worth a warning only once. */
  isResumed: boolean
  /** Something has stood under the name, in this run or the last. */
  wasThere: boolean
  /** The name was given, or a glob gave it when files were last looked for: that it is gone is worth a word. */
  isAwaited: boolean
  /** The last problem that was told; undefined when all is well. */
  said: string | undefined
  /** Something has changed since the state was saved. */
  isDirty: boolean
  /** What was saved of it then. */
  savedText: string | undefined
}

/**
 * Files among which a rotation renames: one that was read under one name is not read again under another. They are those of
 * an entry of a data source file, or all that the command line names.
 */
export interface Group {
  readonly name: string
  /** Who reads a file, or will read it next, by its key. */
  readonly owners: Map<string, Trail>
  /** Files that were read and left, by key, the latest last. */
  readonly left: Map<string, Mark>
  readonly trails: Map<string, Trail>
  readonly absent: AbsentNames
}

/** What following is done with. */
export interface FollowContext {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** What is there is read, nothing is waited for. */
  readonly once: boolean
  readonly problem: (message: string) => void
  readonly warn: (message: string) => void
  /** Notes that a trail has a file or a detector open, so that not too many have. */
  readonly use: (trail: Trail) => void
}

/** Where a detection was made. */
export interface Place {
  readonly path: string
}

export type Found = (source: Source, detections: Detection[], place: Place) => void | Promise<void>

/** So many files that were left are remembered for each source. */
const MOST_LEFT = 256

/** Takes a file as the one that the trail reads. */
export function own(trail: Trail, mark: Mark): void {
  trail.mark = mark
  trail.group.left.delete(mark.key)
  trail.group.owners.set(mark.key, trail)
  trail.isDirty = true
}

/** Takes a file, which is open, as the one that the trail reads next: until it does, nobody else begins with it. */
export function ownNext(trail: Trail, mark: Mark, file: number): void {
  trail.next = { mark, file }
  trail.group.owners.set(mark.key, trail)
  trail.isDirty = true
}

/** Whole lines that were read of the present file, those before its start included; the matching forgets them at the end. */
export function linesRead({ mark, matching }: Trail): number {
  return mark?.isComplete ? mark.lines : matching.linesOfFile
}

/** Gives a file up, unless another trail has found that it is a new one with the same number. */
export function disown(trail: Trail, { key }: Mark): void {
  if (trail.group.owners.get(key) === trail) trail.group.owners.delete(key)
}

/** Remembers how far a file was read that nobody reads any more; without a byte of it there is nothing to know it by. */
export function remember({ left }: Group, mark: Mark): void {
  left.delete(mark.key)
  if (mark.offset === 0) return
  left.set(mark.key, mark)
  for (const key of left.keys()) {
    if (left.size <= MOST_LEFT) break
    left.delete(key)
  }
}

/** Remembers what was read of a file whose number is that of new content from now on: a copy of the old can still turn up. */
export function rememberContent(group: Group, mark: Mark): void {
  remember(group, { ...mark, key: `${mark.key}~${mark.offset}` })
}

/** Tells a problem once, until the trail is well again. */
export function say(trail: Trail, tell: (message: string) => void, message: string): void {
  if (trail.said === message) return
  trail.said = message
  tell(`${trail.path}: ${message}`)
}

/** Whether an error says that a file cannot be read, which is told and gone on from; any other is a mistake of ours. */
export function isReadError(error: unknown): error is Error {
  return error instanceof Failure || typeof (error as NodeJS.ErrnoException).syscall === 'string'
}

export function explain(error: Error): string {
  return error instanceof Failure ? error.message : describeReadError(error)
}
