import { setImmediate } from 'node:timers/promises'
import { isFresh } from './file-stat.js'
import type { FollowContext, FollowedFile } from './followed-file.js'
import { waitsForOlder } from './linked-pieces.js'
import { isIdle, poll, QUIET } from './poll.js'
import { flush, hasWaited, matchWaiting, release } from './read-file.js'

/** With more files than this, those that have been quiet for a while are polled only every fourth time. */
const MANY = 64
const QUIET_FILE = 10_000

/** Detectors of files that were quiet for this long are suspended. */
const SUSPEND_AFTER = 30_000

/** The most detectors that stay active. Each takes about a megabyte, and resumes in a fraction of a millisecond. */
const MAX_ACTIVE = 32

/** The most files that stay open: a process may have 1024 on Linux, and 256 from a shell on macOS. */
const MAX_OPEN = 128

/** Polls the followed names, one round after the other. */
export interface Rounds {
  /** Reads what has come under all names. */
  readAll(files: readonly FollowedFile[]): Promise<RoundOutcome>
}

/** `more`: there is more to read at once. `idle`: nothing has changed anywhere. */
export type RoundOutcome = 'idle' | 'read' | 'more'

/** `between` is called after every name that was read, which takes a few milliseconds. */
export function createRounds(context: FollowContext, limits: ResourceLimits, between: () => Promise<void>): Rounds {
  const { clock, signal } = context
  let round = 0

  /** A name that is skipped in this round is polled in one of the next three. */
  function isSkipped(followed: FollowedFile, index: number): boolean {
    return clock.elapsed() - followed.lastReadAt >= QUIET_FILE && (index + round) % 4 !== 0
  }

  return {
    async readAll(files) {
      const areMany = files.length > MANY
      let outcome: RoundOutcome = 'idle'
      round++
      for (const [index, followed] of files.entries()) {
        if (signal.aborted) return outcome
        if ((await waitsForOlder(followed)) || (areMany && isSkipped(followed, index))) continue
        followed.isCaughtUp = isIdle(followed, context)
        if (followed.isCaughtUp) continue
        const hasMore = await poll(followed, context)
        followed.isCaughtUp = !hasMore
        if (hasMore || outcome === 'idle') outcome = hasMore ? 'more' : 'read'
        // Signals are received only between two turns of the event loop.
        await setImmediate()
        await between()
      }
      limits.suspendUnused(clock.elapsed() - SUSPEND_AFTER)
      return outcome
    },
  }
}

/** Matches the last lines of files that have not changed for a while; others may be in the middle of an entry. */
export async function flushQuiet(files: readonly FollowedFile[], context: FollowContext): Promise<void> {
  for (const followed of files) {
    const { matching, stat } = followed
    const mayGrow = stat?.kind === 'file' && isFresh(stat, context.clock, QUIET)
    if (matching.isPending && !mayGrow) await flush(followed)
    if (hasWaited(followed, context)) await matchWaiting(followed, 'all')
  }
}

/** Limits the number of open files and of active detectors, whatever the number of files. */
export interface ResourceLimits {
  /** Records that a name was read: it is now the last to be closed. */
  use(followed: FollowedFile): void
  /** Suspends the detectors that were not used since this time. */
  suspendUnused(before: number): void
}

export function createResourceLimits(): ResourceLimits {
  const active = new Set<FollowedFile>()
  const open = new Set<FollowedFile>()

  /** A file that lost its name stays open: it may not be found again. */
  function hasItsName({ stat, position }: FollowedFile): boolean {
    return stat?.kind === 'file' && stat.key === position?.key
  }

  return {
    use(followed) {
      moveToEnd(active, followed)
      moveToEnd(open, followed)
      if (active.size > MAX_ACTIVE) dropOldest(active, (other) => other.matching.suspend())
      if (open.size > MAX_OPEN) dropOldest(open, release, hasItsName)
    },
    suspendUnused(before) {
      for (const followed of active) {
        if (followed.lastReadAt > before) continue
        followed.matching.suspend()
        active.delete(followed)
      }
    },
  }
}

/** A set keeps the order of insertion: the last used is the last. */
function moveToEnd(set: Set<FollowedFile>, followed: FollowedFile): void {
  set.delete(followed)
  set.add(followed)
}

/** Drops the one that was not used for the longest time; never the last. */
function dropOldest(
  set: Set<FollowedFile>,
  drop: (followed: FollowedFile) => void,
  mayDrop: (followed: FollowedFile) => boolean = () => true,
): void {
  let remaining = set.size
  for (const followed of set) {
    if (--remaining === 0) return
    if (!mayDrop(followed)) continue
    drop(followed)
    set.delete(followed)
    return
  }
}
