import { closeFile, type FileStat, type FoundStat, isFresh, openFile, statOpen } from './file-stat.js'
import { findCopy, findRenamed, type OpenFile, resolved } from './find-rotated.js'
import {
  countedPosition,
  disown,
  type FollowContext,
  type FollowedFile,
  own,
  ownSuccessor,
  remember,
  rememberContent,
} from './followed-file.js'
import {
  beginsPacked,
  findKnown,
  holdsPacked,
  isArchive,
  isReadByAnother,
  isSameFile,
  readerOf,
} from './known-files.js'
import { flush, guarded, readCopy, readOn, release, STILL_WRITTEN } from './read-file.js'
import { continueUnsealed, type ReadPosition, startOfFile } from './read-position.js'
import { isDrained } from './states.js'

/**
 * The name no longer leads to the file that is being read: the rest of that file is read first. Returns whether there is more
 * to do at once.
 */
export async function drain(followed: FollowedFile, stat: FileStat, context: FollowContext): Promise<boolean> {
  followed.file ??= await findAgain(followed, followed.position!)
  if (followed.file === undefined) {
    await readLost(followed, context)
    await noteSuccessor(followed, stat)
    await finish(followed)
    return true
  }
  await noteSuccessor(followed, stat)
  if (await readOn(followed, context)) return true
  const isOver = isOldFileDrained(followed, stat, context)
  if (isOver) await finish(followed)
  return isOver
}

/**
 * The file no longer begins with what was read of it: it was truncated, and perhaps written to since, or it is another one
 * with the same key. It is read from its start.
 */
export async function restart(followed: FollowedFile, context: FollowContext): Promise<void> {
  await readLost(followed, context)
  rememberContent(followed.group, countedPosition(followed))
  release(followed)
  forgetFile(followed)
  followed.skipsZeros = true
}

/**
 * A finished archive has changed: something was appended to it, which is read, or it is another one with the same key.
 * Returns whether there is more to do at once.
 */
export async function takeReplaced(
  followed: FollowedFile,
  stat: FoundStat,
  { clock }: FollowContext,
): Promise<boolean> {
  if (isFresh(stat, clock, STILL_WRITTEN) && holdsPacked(followed.path)) return false
  const position = followed.position!
  const isLonger = position.offset > 0 && (await beginsPacked(followed.path, position))
  if (!isLonger) rememberContent(followed.group, countedPosition(followed))
  forgetFile(followed)
  if (isLonger) own(followed, continueUnsealed(position, position.key, position.target))
  return true
}

/** Opens the successor, which perhaps the last run saw, unless another name reads it. Returns whether there is one. */
export async function openSuccessor(followed: FollowedFile): Promise<boolean> {
  const { successor } = followed
  if (!successor || successor.file !== undefined) return successor !== undefined
  followed.successor = undefined
  const file = await findAgain(followed, successor.position)
  if (file !== undefined) ownSuccessor(followed, successor.position, file)
  return file !== undefined
}

/** Opens the file that the name leads to, so that it is not missed when it is renamed before it is read. */
async function noteSuccessor(followed: FollowedFile, stat: FileStat): Promise<void> {
  if (await openSuccessor(followed)) return
  if (stat?.kind !== 'file' || isReadByAnother(followed, stat)) return
  const file = openFile(followed.path)
  ownSuccessor(followed, startOfFile(statOpen(file).key, resolved(followed.path)), file)
}

/** Whether nothing more is expected in the old file, which is open. */
function isOldFileDrained(followed: FollowedFile, stat: FileStat, { once, clock }: FollowContext): boolean {
  const { successor, lastReadAt } = followed
  const now = clock.elapsed()
  const hasData = successor !== undefined && statOpen(successor.file!).size > 0
  const isSuccessorReplaced = stat?.kind === 'file' && stat.key !== successor?.position.key
  const isDeleted = statOpen(followed.file!).links === 0
  if (hasData) followed.successorHasDataAt ??= now
  else if (isDeleted) followed.deletedAt ??= now
  return isDrained({
    successor: hasData ? 'hasData' : successor ? 'empty' : 'none',
    isSuccessorReplaced,
    isDeleted,
    once,
    sinceRead: now - lastReadAt,
    sinceSuccessorHasData: now - (followed.successorHasDataAt ?? now),
    sinceDeleted: now - (followed.deletedAt ?? now),
  })
}

/** Nothing more is read from the file. Its successor, if one was seen, is read next. */
async function finish(followed: FollowedFile): Promise<void> {
  const { group } = followed
  await learnTimes(followed)
  release(followed)
  // If the key is remembered already, it is that of a newer file.
  if (!group.finished.has(followed.position!.key)) remember(group, countedPosition(followed))
  forgetFile(followed)
  followed.successorHasDataAt = undefined
  followed.deletedAt = undefined
  followed.skipsZeros = false
  followed.isResumed = false
}

/** The next bytes come from another file, or from the start of this one. */
function forgetFile(followed: FollowedFile): void {
  disown(followed, followed.position!)
  followed.position = undefined
  followed.lastRead = undefined
  followed.startsNewFile = true
  followed.isDirty = true
}

/** Finds the file of a position under another name, and opens it. */
async function findAgain(followed: FollowedFile, position: ReadPosition): Promise<number | undefined> {
  const found = findRenamed(followed.path, position)
  if (found === undefined) return undefined
  const isIt = position.offset > 0 ? isSameFile(found.file, position) : await isUnread(followed, found, position)
  if (isIt) return found.file
  closeFile(found.file)
  return undefined
}

/** If no byte was read, the key may belong to a file that another name reads by now, or to an archive of what was read. */
async function isUnread(followed: FollowedFile, found: OpenFile, position: ReadPosition): Promise<boolean> {
  const reader = readerOf(followed.group, position.key, found.path)?.reader ?? followed
  return reader === followed && !(await findKnown(followed, found, position))
}

/** Reads the rest of a file that is gone from a copy of it, or warns that there is none. */
async function readLost(followed: FollowedFile, context: FollowContext): Promise<void> {
  const { group, isResumed, path } = followed
  const position = followed.position!
  if (position.isComplete || position.offset === 0) return
  await learnTimes(followed)
  const isRead = (key: string, candidate: string) => (readerOf(group, key, candidate)?.position.offset ?? 0) > 0
  const found = await findCopy(path, position, isRead)
  if (found) {
    await guarded(followed, context, () => readCopy(followed, found.copy, context))
    remember(group, { ...countedPosition(followed), key: found.key, target: found.path })
  } else if (isResumed && !isArchive(followed)) {
    const lost = `the data after its first ${position.offset} bytes was not read`
    context.warn(`${path}: rotated since the last run, and the old file cannot be found: ${lost}`)
  }
}

/** Finds out whether the lines of a file have times, of which little was read: its copies are recognized by them. */
async function learnTimes(followed: FollowedFile): Promise<void> {
  if (followed.matching.isPending && !followed.position!.hasTimes) await flush(followed)
}
