import { beginsPacked, findKnown } from './find-known.js'
import { findCopy, findRenamed, type OpenFile, resolved } from './find-rest.js'
import { closeFile, isFresh, type Look, lookAtOpen, openFile, type Sight } from './look.js'
import { type Mark, newMark, unsealedBehind } from './mark.js'
import { flush, guarded, readCopy, readOn, release, STILL_WRITTEN } from './read-on.js'
import { holderOf, holdsPacked, isArchive, isOfMark, isTakenByAnother } from './taken.js'
import { disown, type FollowContext, linesRead, own, ownNext, remember, rememberContent, type Trail } from './trail.js'

/** How long a file that lost its name is read on while the new one has data already: its writer may not know yet. */
const FAREWELL = 200
const LONGEST_FAREWELL = 10_000

/** A deleted file takes its space on the disk for as long as somebody has it open. */
const LONGEST_HOLD = 5000

/**
 * The name leads to another file than the one that is being read, or nowhere: the rest of that comes first. Returns whether
 * there is more to do at once.
 */
export async function readRest(trail: Trail, look: Look, context: FollowContext): Promise<boolean> {
  trail.file ??= await findAgain(trail, trail.mark!)
  if (trail.file === undefined) {
    await readLost(trail, context)
    await noteNext(trail, look)
    await leave(trail)
    return true
  }
  await noteNext(trail, look)
  if (await readOn(trail, context)) return true
  const isGone = trail.next ? isTimeToGo(trail, look, context) : isHeldTooLong(trail, context)
  if (isGone) await leave(trail)
  return isGone
}

/**
 * The file does not begin with what was read of it any more: it was emptied, and perhaps written to since, or it is another
 * one with the same number. What it holds is begun with.
 */
export async function giveUp(trail: Trail, context: FollowContext): Promise<void> {
  await readLost(trail, context)
  rememberContent(trail.group, { ...trail.mark!, lines: linesRead(trail) })
  release(trail)
  forgetFile(trail)
  trail.isInHole = true
}

/**
 * An archive that was read is not what it was: something was appended to it, which is read, or it is another one with the
 * same number. Returns whether there is more to do at once.
 */
export async function takeReplaced(trail: Trail, sight: Sight, { clock }: FollowContext): Promise<boolean> {
  if (isFresh(sight, clock, STILL_WRITTEN) && holdsPacked(trail.path)) return false
  const { mark, path } = trail
  const isLonger = mark!.offset > 0 && (await beginsPacked(path, mark!))
  if (!isLonger) rememberContent(trail.group, { ...mark!, lines: linesRead(trail) })
  forgetFile(trail)
  if (isLonger) own(trail, unsealedBehind(mark!, mark!.key, mark!.target))
  return true
}

/** Finds out whether a file has times of which little was read so far: a copy of it is known by them. */
async function learnTimes(trail: Trail): Promise<void> {
  if (trail.matching.isPending && !trail.mark!.hasTimes) await flush(trail)
}

/** What is read next is another file, or begins anew. */
function forgetFile(trail: Trail): void {
  disown(trail, trail.mark!)
  trail.mark = undefined
  trail.known = undefined
  trail.isNext = true
  trail.isDirty = true
}

/** Finds the file of a mark under another name, and opens it. */
async function findAgain(trail: Trail, mark: Mark): Promise<number | undefined> {
  const found = findRenamed(trail.path, mark)
  if (found === undefined) return undefined
  const isIt = mark.offset > 0 ? isOfMark(found.file, mark) : await isNews(trail, found, mark)
  if (isIt) return found.file
  closeFile(found.file)
  return undefined
}

/** Where no byte was read, the number may be that of a file that another reads by now, or of an archive of what was read. */
async function isNews(trail: Trail, found: OpenFile, mark: Mark): Promise<boolean> {
  const holder = holderOf(trail.group, mark.key, found.path)?.trail ?? trail
  return holder === trail && !(await findKnown(trail, found, mark))
}

/** Reads what followed in a file that is gone from a copy of it, or says that there is none. */
async function readLost(trail: Trail, context: FollowContext): Promise<void> {
  const { group, mark, isResumed, path } = trail
  if (mark!.isComplete || mark!.offset === 0) return
  await learnTimes(trail)
  const isTaken = (key: string, candidate: string) => (holderOf(group, key, candidate)?.mark.offset ?? 0) > 0
  const found = await findCopy(path, mark!, isTaken)
  if (found) {
    await guarded(trail, context, () => readCopy(trail, found.copy, context))
    remember(group, { ...mark!, key: found.key, target: found.path, lines: linesRead(trail) })
  } else if (isResumed && !isArchive(trail)) {
    const lost = `what came after its first ${mark!.offset} bytes was not read`
    context.warn(`${path}: rotated since the last run, and the old file is not to be found: ${lost}`)
  }
}

/** Opens the file that the name leads to, so that it is not missed when it is renamed before it is its turn. */
async function noteNext(trail: Trail, look: Look): Promise<void> {
  if (await findNext(trail)) return
  if (look?.kind !== 'file' || isTakenByAnother(trail, look)) return
  const file = openFile(trail.path)
  ownNext(trail, newMark(lookAtOpen(file).key, resolved(trail.path)), file)
}

/** Opens the file that was seen to follow, by the last run perhaps, unless somebody else has taken it since. */
async function findNext(trail: Trail): Promise<boolean> {
  const { next } = trail
  if (!next || next.file !== undefined) return next !== undefined
  trail.next = undefined
  const file = await findAgain(trail, next.mark)
  if (file !== undefined) ownNext(trail, next.mark, file)
  return file !== undefined
}

/** The file that was seen to follow is the one that the trail reads from now on. Returns whether there is one. */
export async function takeNext(trail: Trail): Promise<boolean> {
  if (!(await findNext(trail))) return false
  trail.file = trail.next!.file
  trail.next = undefined
  return true
}

/**
 * Whether the old file may be left for the next: nothing has come in it for a moment since that has data, or another one has
 * its name already.
 */
function isTimeToGo(trail: Trail, look: Look, { once, clock }: FollowContext): boolean {
  const { mark, file } = trail.next!
  if (look?.kind === 'file' && look.key !== mark.key) return true
  if (lookAtOpen(file!).size === 0) return isHeldTooLong(trail, { clock })
  const now = clock.elapsed()
  trail.nextAt ??= now
  if (once) return true
  return now - Math.max(trail.nextAt, trail.readAt) >= FAREWELL || now - trail.nextAt >= LONGEST_FAREWELL
}

/** Whether the file was deleted a while ago, and nothing has come since. */
function isHeldTooLong(trail: Trail, { clock }: Pick<FollowContext, 'clock'>): boolean {
  if (lookAtOpen(trail.file!).links > 0) return false
  const now = clock.elapsed()
  trail.deletedAt ??= now
  return now - Math.max(trail.readAt, trail.deletedAt) >= LONGEST_HOLD
}

/** Nothing more is read from the file: its successor, where one was seen, is read next. */
async function leave(trail: Trail): Promise<void> {
  const { mark, group } = trail
  await learnTimes(trail)
  release(trail)
  // Whoever remembered the number since then knows a newer file that has it.
  if (!group.left.has(mark!.key)) remember(group, { ...mark!, lines: linesRead(trail) })
  forgetFile(trail)
  trail.nextAt = undefined
  trail.deletedAt = undefined
  trail.isInHole = false
  trail.isResumed = false
}
