import { resolve } from 'node:path'
import type { CustomTimestamp } from '@omen/engine'
import { countedPosition, type FollowedFile, restartPosition } from '../followed-file.js'
import type { SavedMatching } from '../matching.js'
import { goBack, type ReadPosition } from '../read-position.js'
import type { SavedFile, SavedPosition } from './state-document.js'

/** Where following a name starts. */
export interface StartingPoint {
  readonly position: ReadPosition | undefined
  readonly successor: ReadPosition | undefined
  readonly matching: SavedMatching | undefined
  /** The next bytes are matched as those of another file. */
  readonly startsNewFile: boolean
}

export const FROM_THE_START: StartingPoint = {
  position: undefined,
  successor: undefined,
  matching: undefined,
  startsNewFile: false,
}

/** The JSON that is saved for a name. */
export function saveFile(followed: FollowedFile, seen: number): string {
  const { position, successor, matching, path, timestamp } = followed
  const { name: source, type, window } = followed.source
  const { snapshot, waitingUpTo, ...counts } = matching.save()
  const saved: SavedFile = {
    source,
    type,
    ...(window !== undefined && { window: String(window) }),
    ...(timestamp && { timestamp }),
    group: followed.group.name,
    path: resolve(path),
    ...(position && { mark: savePosition(countedPosition(followed)) }),
    ...(successor && { next: savePosition(successor.position) }),
    anew: restartPosition(followed),
    ...counts,
    ...(waitingUpTo !== undefined && { waitingUpTo }),
    seen,
  }
  const text = JSON.stringify(saved)
  // The snapshot is JSON already, and may be large.
  return snapshot ? `${text.slice(0, -1)},"snapshot":${new TextDecoder().decode(snapshot)}}` : text
}

/** Continues where following a name stopped. */
export function restoreFile(saved: SavedFile, timestamp: CustomTimestamp | undefined): StartingPoint {
  const { snapshot, firstLines, files, lines, isPending, isUntouched, waitingUpTo } = saved
  const position = saved.mark && restorePosition(saved.mark)
  const isSameTime = JSON.stringify(saved.timestamp) === JSON.stringify(timestamp)
  const bytes = snapshot && new TextEncoder().encode(JSON.stringify(snapshot))
  return {
    position:
      position && !isSameTime ? { ...position, start: { offset: position.offset, lines: position.lines } } : position,
    successor: saved.next && restorePosition(saved.next),
    matching: { snapshot: bytes, firstLines, ...(files && { files }), lines, isPending, isUntouched, waitingUpTo },
    startsNewFile: !isSameTime || position === undefined,
  }
}

/** Continues in the same file, with rules that know nothing of what came before. */
export function restoreWithoutRuleState({ mark: saved, next, anew: restart }: SavedFile): StartingPoint {
  const successor = next && restorePosition(next)
  if (!saved) return { ...FROM_THE_START, successor }
  const position = restorePosition(saved)
  if (!position.isComplete) goBack(position, restart.offset)
  return {
    position: { ...position, start: restart },
    successor,
    matching: { snapshot: undefined, firstLines: [-restart.lines], lines: 0, isPending: false, isUntouched: true },
    startsNewFile: false,
  }
}

export function savePosition({ key, head, tail, sealed, target, ...rest }: ReadPosition): SavedPosition {
  const [device = '', inode = ''] = key.split(':')
  return {
    device,
    inode,
    // The next run may have another working directory.
    target: resolve(target),
    ...rest,
    head: head.toString('base64'),
    tail: tail.toString('base64'),
    ...(sealed && { sealed: { size: sealed.size, modified: String(sealed.modified) } }),
  }
}

export function restorePosition({ device, inode, head, tail, sealed, ...rest }: SavedPosition): ReadPosition {
  return {
    ...rest,
    key: `${device}:${inode}`,
    head: Buffer.from(head, 'base64'),
    tail: Buffer.from(tail, 'base64'),
    sealed: sealed && { size: sealed.size, modified: BigInt(sealed.modified) },
  }
}
