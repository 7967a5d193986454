import { findCopy, findRenamed, resolved } from './find-rest.js'
import { closeFile, type Look, lookAtOpen, openFile } from './look.js'
import { newMark } from './mark.js'
import { guarded, readCopy, readOn, release } from './read-on.js'
import { isArchive, isOfMark, isTakenByAnother, ownerOf } from './taken.js'
import { disown, type FollowContext, own, remember, type Trail } from './trail.js'

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
  if (trail.file === undefined && !reopen(trail)) {
    await readLost(trail, context)
    noteNext(trail, look)
    leave(trail)
    return true
  }
  noteNext(trail, look)
  if (await readOn(trail, context)) return true
  const isGone = trail.next ? isTimeToGo(trail, look, context) : isHeldTooLong(trail, context)
  if (isGone) leave(trail)
  return isGone
}

/**
 * The file does not begin with what was read of it any more: it was emptied, and perhaps written to since. It is read from
 * its start.
 */
export async function startOver(trail: Trail, context: FollowContext): Promise<void> {
  const { key, target, offset } = trail.mark!
  await readLost(trail, context)
  // The number is that of the new content from now on; a copy of the old can still turn up.
  remember(trail.group, { ...trail.mark!, key: `${key}~${offset}`, lines: trail.matching.linesOfFile })
  own(trail, newMark(key, target))
  trail.isNext = true
  trail.isInHole = true
}

/** Finds the file that is being read under another name. */
function reopen(trail: Trail): boolean {
  const file = findRenamed(trail.path, trail.mark!)
  if (file === undefined) return false
  if (!isOfMark(file, trail.mark!)) {
    closeFile(file)
    return false
  }
  trail.file = file
  return true
}

/** Reads what followed in a file that is gone from a copy of it, or says that there is none. */
async function readLost(trail: Trail, context: FollowContext): Promise<void> {
  const { group, mark, isResumed, path } = trail
  if (mark!.isComplete || mark!.offset === 0) return
  const isTaken = (key: string, candidate: string) => (ownerOf(group, key, candidate)?.mark?.offset ?? 0) > 0
  const found = await findCopy(path, mark!, isTaken)
  if (found) {
    await guarded(trail, context, () => readCopy(trail, found.copy, context))
    remember(group, { ...mark!, key: found.key, target: found.path, lines: trail.matching.linesOfFile })
  } else if (isResumed && !isArchive(trail)) {
    const lost = `what came after its first ${mark!.offset} bytes was not read`
    context.warn(`${path}: rotated since the last run, and the old file is not to be found: ${lost}`)
  }
}

/** Opens the file that the name leads to, so that it is not missed when it is renamed before it is its turn. */
function noteNext(trail: Trail, look: Look): void {
  const { next, path } = trail
  // The last run has seen it.
  if (next && next.file === undefined) next.file = findRenamed(path, next.mark)
  if (next?.file !== undefined) return
  trail.next = undefined
  if (look?.kind !== 'file' || isTakenByAnother(trail, look)) return
  const file = openFile(path)
  trail.next = { file, mark: newMark(lookAtOpen(file).key, resolved(path)) }
  trail.isDirty = true
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

/** Nothing more is read from the file: its successor, where one was seen, is next. */
function leave(trail: Trail): void {
  const { mark, group, matching, next } = trail
  trail.next = undefined
  release(trail)
  disown(trail, mark!)
  // Whoever remembered the number since then knows a newer file that has it.
  if (!group.left.has(mark!.key)) remember(group, { ...mark!, lines: matching.linesOfFile })
  trail.mark = undefined
  trail.file = next?.file
  trail.known = undefined
  trail.nextAt = undefined
  trail.deletedAt = undefined
  trail.isNext = true
  trail.isInHole = false
  trail.isResumed = false
  trail.isDirty = true
}
