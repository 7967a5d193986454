import { closeFile, type FileStat, type FoundStat, isFresh, openFile, statName, statOpen } from './file-stat.js'
import { resolved } from './find-rotated.js'
import { explain, type FollowContext, type FollowedFile, own, rememberContent, reportOnce } from './followed-file.js'
import { findKnown, isReadByAnother } from './known-files.js'
import { closeSuccessor, flush, guarded, hasWaited, matchWaiting, readOn, release } from './read-file.js'
import { fits, startOfFile } from './read-position.js'
import { drain, openSuccessor, restart, takeReplaced } from './rotation.js'
import { type Action, actionFor, compareFinished, describeAbsence } from './states.js'

/** How long nothing has to come before whole lines are matched although more lines of the same entry may follow. */
export const QUIET = 1000

/** What an action leads to. `again`: decide again, for what `stat` shows now. */
type Outcome = 'done' | 'more' | { readonly again: FileStat }

type Effect = (followed: FollowedFile, stat: FileStat, context: FollowContext) => Outcome | Promise<Outcome>

/** The effects of the actions. `stat` is a file wherever the table in states.ts requires one. */
const EFFECTS: Readonly<Record<Action, Effect>> = {
  start(followed, stat, context) {
    if (isReadByAnother(followed, stat as FoundStat)) return 'done'
    followed.waitsFor = undefined
    followed.file = openFile(followed.path)
    return recognize(followed, stat, context)
  },
  async startSuccessor(followed, stat, context) {
    if (!(await openSuccessor(followed))) return { again: stat }
    followed.file = followed.successor!.file
    followed.successor = undefined
    return recognize(followed, stat, context)
  },
  async read(followed, stat, context) {
    nameIsBack(followed)
    const found = stat as FoundStat
    if (followed.file === undefined && !open(followed, context)) return 'done'
    const { position, lastRead } = followed
    const isChanged = lastRead?.size !== found.size || lastRead.modified !== found.modified
    if (isChanged && !position!.isPacked && !fits(followed.file!, position!)) {
      await restart(followed, context)
      return { again: stat }
    }
    return settle(followed, found, await readOn(followed, context))
  },
  async compare(followed, stat, context) {
    nameIsBack(followed)
    const found = stat as FoundStat
    const change = compareFinished(followed.position!, followed.lastRead, found)
    if (change === 'replaced') return (await takeReplaced(followed, found, context)) ? 'more' : 'done'
    if (change === 'unchanged') return settle(followed, found, false)
    await restart(followed, context)
    return { again: stat }
  },
  async drain(followed, stat, context) {
    if (await drain(followed, stat, context)) return 'more'
    reportAbsence(followed, stat, context)
    return 'done'
  },
  async readOpen(followed, stat, context) {
    reportAbsence(followed, stat, context)
    return followed.file !== undefined && (await readOn(followed, context)) ? 'more' : 'done'
  },
  reportAbsence(followed, stat, context) {
    reportAbsence(followed, stat, context)
    return 'done'
  },
  wait: () => 'done',
}

/** Whether there is nothing to do for a name. This is cheap, and mostly the case. */
export function isIdle(followed: FollowedFile, { clock }: FollowContext): boolean {
  const stat = statName(followed.path)
  const now = clock.elapsed()
  followed.stat = stat
  if (stat !== undefined) {
    followed.lastSeenAt = now
    followed.hasExisted = true
  }
  const { isPending, isDue } = followed.matching
  if (isDue || (isPending && now - followed.lastReadAt >= QUIET)) return false
  const { position, lastRead, lastReported } = followed
  if (!lastRead || !position || lastReported !== undefined) return false
  if (stat?.kind !== 'file' || stat.key !== position.key) return false
  return stat.size === lastRead.size && stat.modified === lastRead.modified
}

/** Does what there is to do for a name that `isIdle` has polled. Returns whether there is more. */
export async function poll(followed: FollowedFile, context: FollowContext): Promise<boolean> {
  const { stat, lastRead } = followed
  if (await guarded(followed, context, () => act(followed, stat, context))) return true
  const { matching, lastReadAt } = followed
  const isOld = lastRead === undefined && stat?.kind === 'file' && !isFresh(stat, context.clock, QUIET)
  if (matching.isPending && (isOld || context.clock.elapsed() - lastReadAt >= QUIET)) await flush(followed)
  // The lines of a newer piece may belong between the last ones.
  if (isOld && !followed.newerPiece && hasWaited(followed, context)) await matchWaiting(followed, 'all')
  else if (matching.isDue) await matchWaiting(followed, 'due')
  // Most of many files are old: the detector of one can serve the next.
  if (isOld) matching.suspend()
  return false
}

async function act(followed: FollowedFile, seen: FileStat, context: FollowContext): Promise<boolean> {
  for (let stat = seen; ; ) {
    const outcome = await EFFECTS[actionFor(followed, stat)](followed, stat, context)
    if (typeof outcome === 'string') return outcome === 'more'
    stat = outcome.again
  }
}

/** Finds out whether the file that was opened is new, or was read under another name. */
async function recognize(followed: FollowedFile, stat: FileStat, context: FollowContext): Promise<Outcome> {
  const { path, file, group } = followed
  const opened = statOpen(file!)
  const known = await findKnown(followed, { path, file: file! }, opened)
  if (known && 'waitsFor' in known) {
    followed.waitsFor = known.waitsFor
    release(followed)
    return 'done'
  }
  const before = group.finished.get(opened.key)
  if (before && known?.formerKey !== opened.key) rememberContent(group, before)
  // No other name continues in this file when it comes back, nor in the one that it is a copy of.
  for (const key of new Set([opened.key, known?.formerKey ?? opened.key])) group.absent.forget(group.name, key)
  own(followed, known?.position ?? startOfFile(opened.key, resolved(path)))
  context.use(followed)
  return stat?.kind === 'file' && stat.key === opened.key ? { again: opened } : 'more'
}

/** The name leads to the file that is being read. */
function nameIsBack(followed: FollowedFile): void {
  closeSuccessor(followed)
  followed.deletedAt = undefined
}

/** Opens the file under the name, if it is still the one that is being read. */
function open(followed: FollowedFile, context: FollowContext): boolean {
  const file = openFile(followed.path)
  if (statOpen(file).key !== followed.position!.key) {
    closeFile(file)
    return false
  }
  followed.file = file
  context.use(followed)
  return true
}

/** Records what was read, so that the next stat shows whether the file has changed. */
function settle(followed: FollowedFile, { size, modified }: FoundStat, hasMore: boolean): Outcome {
  followed.lastReported = undefined
  followed.isResumed = false
  const { offset, isComplete } = followed.position!
  // A file that may still be written, such as half an archive, is not read yet: it is opened again.
  const isRead = offset > 0 || isComplete || size === 0
  if (!hasMore && isRead) followed.lastRead = { size, modified }
  return hasMore ? 'more' : 'done'
}

function reportAbsence(followed: FollowedFile, stat: FileStat, context: FollowContext): void {
  if (stat?.kind === 'unreadable') {
    reportOnce(followed, context.problem, explain(stat.error as Error))
    return
  }
  const { position, hasExisted, isExpected, lastSeenAt } = followed
  const goneFor = context.clock.elapsed() - lastSeenAt
  const absence = { once: context.once, isReading: position !== undefined, hasExisted, isExpected, goneFor }
  const report = describeAbsence(stat, absence)
  if (report) reportOnce(followed, report.level === 'problem' ? context.problem : context.warn, report.message)
}
