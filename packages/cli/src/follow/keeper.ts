import { release } from './read-on.js'
import type { Trail } from './trail.js'

/** Detectors that are kept ready; the others sleep. Each takes about a megabyte, and wakes up in a fraction of a millisecond. */
const MOST_AWAKE = 32

/** Files that are kept open: a process may have 1024 on Linux, and 256 where the shells of macOS start it. */
const MOST_OPEN = 128

/** Keeps the number of open files and of detectors that take memory small, whatever the number of files. */
export interface Keeper {
  /** A trail was read: it is the last to go. */
  use(trail: Trail): void
  /** Lets the detectors of trails sleep that were not used since this time. */
  rest(before: number): void
}

export function createKeeper(): Keeper {
  const awake = new Set<Trail>()
  const open = new Set<Trail>()

  /** Files that lost their name stay open: they may not be found again. */
  function isUnderItsName({ look, mark }: Trail): boolean {
    return look?.kind === 'file' && look.key === mark?.key
  }

  return {
    use(trail) {
      touch(awake, trail)
      touch(open, trail)
      if (awake.size > MOST_AWAKE) drop(awake, (other) => other.matching.sleep())
      if (open.size > MOST_OPEN) drop(open, release, isUnderItsName)
    },
    rest(before) {
      for (const trail of awake) {
        if (trail.readAt > before) continue
        trail.matching.sleep()
        awake.delete(trail)
      }
    },
  }
}

/** A set keeps the order of insertion: the last used is the last. */
function touch(set: Set<Trail>, trail: Trail): void {
  set.delete(trail)
  set.add(trail)
}

/** Lets the one go that was not used for the longest time; never the last. */
function drop(set: Set<Trail>, letGo: (trail: Trail) => void, mayGo: (trail: Trail) => boolean = () => true): void {
  let left = set.size
  for (const trail of set) {
    if (--left === 0) return
    if (!mayGo(trail)) continue
    letGo(trail)
    set.delete(trail)
    return
  }
}
