import { findKnown } from './find-known.js'
import { resolved } from './find-rest.js'
import { closeFile, isFresh, type Look, lookAt, lookAtOpen, openFile, type Sight } from './look.js'
import { fits, isSealed, newMark } from './mark.js'
import { dropNext, flush, guarded, readOn, release } from './read-on.js'
import { giveUp, readRest, takeNext, takeReplaced } from './rotation.js'
import { isTakenByAnother } from './taken.js'
import { explain, type FollowContext, own, rememberContent, say, type Trail } from './trail.js'

/** How long nothing has to come before whole lines are matched though more lines of the same entry may follow. */
export const QUIET = 1000

/** A name may be gone for a moment in every rotation: not worth a word. */
const LONG_GONE = 15_000

/**
 * Looks whether there is anything to do for a name: cheap, because mostly there is not.
 */
export function isIdle(trail: Trail, { clock }: FollowContext): boolean {
  const look = lookAt(trail.path)
  const now = clock.elapsed()
  trail.look = look
  if (look !== undefined) {
    trail.thereAt = now
    trail.wasThere = true
  }
  if (trail.matching.isPending && now - trail.readAt >= QUIET) return false
  const { mark, known } = trail
  if (!known || !mark || look?.kind !== 'file' || look.key !== mark.key || trail.said !== undefined) return false
  return look.size === known.size && look.modified === known.modified
}

/** Does what there is to do for a name that `isIdle` looked at. Returns whether there is more. */
export async function poll(trail: Trail, context: FollowContext): Promise<boolean> {
  const { look, known } = trail
  const more = await guarded(trail, context, () => readWhatIsThere(trail, look, context))
  if (more) return true
  const { matching, readAt } = trail
  const isOld = known === undefined && look?.kind === 'file' && !isFresh(look, context.clock, QUIET)
  if (matching.isPending && (isOld || context.clock.elapsed() - readAt >= QUIET)) await flush(trail)
  // Of many files most are old: the detector of one serves for the next.
  if (isOld) matching.sleep()
  return false
}

async function readWhatIsThere(trail: Trail, look: Look, context: FollowContext): Promise<boolean> {
  if (trail.mark === undefined) return begin(trail, look, context)
  if (look?.kind === 'file' && look.key === trail.mark.key) return readCurrent(trail, look, context)
  if (look?.kind === 'refusal') {
    // What stands there cannot be seen: it may well be the same.
    describeAbsence(trail, look, context)
    return trail.file !== undefined && readOn(trail, context)
  }
  const hasMore = await readRest(trail, look, context)
  if (!hasMore) describeAbsence(trail, look, context)
  return hasMore
}

/** The name leads to the file that is being read. */
async function readCurrent(trail: Trail, sight: Sight, context: FollowContext): Promise<boolean> {
  dropNext(trail)
  trail.deletedAt = undefined
  if (trail.mark!.sealed && !isSealed(trail.mark!, sight)) return takeReplaced(trail, sight, context)
  const { isComplete, isPacked } = trail.mark!
  const hasShrunk = trail.known !== undefined && sight.size < trail.known.size
  if (isComplete && !hasShrunk) return settle(trail, sight, false)
  if (trail.file === undefined && !open(trail, context)) return false
  const isChanged = trail.known?.size !== sight.size || trail.known.modified !== sight.modified
  if (isComplete || (isChanged && !isPacked && !fits(trail.file!, trail.mark!))) {
    await giveUp(trail, context)
    return begin(trail, sight, context)
  }
  return settle(trail, sight, await readOn(trail, context))
}

/** Notes what was looked into, so that the next look tells whether it has changed. */
function settle(trail: Trail, sight: Sight, more: boolean): boolean {
  trail.said = undefined
  trail.isResumed = false
  const { offset, isComplete } = trail.mark!
  // Of what may still be written, such as half an archive, nothing is read: it is looked into again.
  const isLookedInto = offset > 0 || isComplete || sight.size === 0
  if (!more && isLookedInto) trail.known = { size: sight.size, modified: sight.modified }
  return more
}

/** Opens the file under the name, if it is still the one that is being read. */
function open(trail: Trail, context: FollowContext): boolean {
  const file = openFile(trail.path)
  if (lookAtOpen(file).key !== trail.mark!.key) {
    closeFile(file)
    return false
  }
  trail.file = file
  context.use(trail)
  return true
}

/** Nothing is being read: starts with what was seen to follow, or with what stands under the name. */
async function begin(trail: Trail, look: Look, context: FollowContext): Promise<boolean> {
  if (!(await takeNext(trail))) {
    if (look?.kind !== 'file') {
      describeAbsence(trail, look, context)
      return false
    }
    if (isTakenByAnother(trail, look)) return false
    trail.waitsFor = undefined
    trail.file = openFile(trail.path)
  }
  const sight = lookAtOpen(trail.file!)
  const known = await findKnown(trail, { path: trail.path, file: trail.file! }, sight)
  if (known && 'waitsFor' in known) {
    trail.waitsFor = known.waitsFor
    release(trail)
    return false
  }
  takeNumber(trail, sight.key, known?.formerKey)
  own(trail, known?.mark ?? newMark(sight.key, resolved(trail.path)))
  context.use(trail)
  // Where the name leads elsewhere by now, the next look tells what to do.
  return look?.kind === 'file' && look.key === sight.key ? readCurrent(trail, sight, context) : true
}

/**
 * The number of a file is the trail's from now on, whoever had it before. So is what was read of it under another one, which
 * it is a copy of.
 */
function takeNumber({ group }: Trail, key: string, formerKey: string | undefined): void {
  const left = group.left.get(key)
  if (left && formerKey !== key) rememberContent(group, left)
  for (const taken of new Set([key, formerKey ?? key])) group.absent.forget(group.name, taken)
}

function describeAbsence(trail: Trail, look: Look, context: FollowContext): void {
  if (look?.kind === 'refusal') say(trail, context.problem, explain(look.error as Error))
  else if (look?.kind === 'folder') say(trail, context.problem, 'is a folder now: waiting for a file')
  else if (look?.kind === 'stream') say(trail, context.problem, 'is no file now: waiting for one')
  else if (look !== undefined) return
  else if (context.once) {
    if (trail.mark === undefined) say(trail, context.problem, 'no such file')
  } else if (!trail.wasThere) say(trail, context.warn, 'not there yet: waiting for it')
  else if (trail.isAwaited && context.clock.elapsed() - trail.thereAt >= LONG_GONE)
    say(trail, context.warn, 'gone: waiting for it to come back')
}
