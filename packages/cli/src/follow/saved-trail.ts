import { resolve } from 'node:path'
import type { CustomTimestamp } from '@omen/engine'
import { goBack, type Mark, type Start } from './mark.js'
import type { SavedMatching } from './matching.js'
import type { SavedFile, SavedMark } from './state-document.js'
import { linesRead, type Trail } from './trail.js'

/** What a trail starts with. */
export interface Beginning {
  readonly mark: Mark | undefined
  /** The file that was seen to follow. */
  readonly next: Mark | undefined
  readonly matching: SavedMatching | undefined
  /** The next bytes are read as those of another file. */
  readonly isNext: boolean
}

export const FROM_THE_START: Beginning = { mark: undefined, next: undefined, matching: undefined, isNext: false }

/** The text of JSON that is kept of a trail. */
export function saveTrail(trail: Trail, seen: number): string {
  const { mark, next, matching, path, timestamp } = trail
  const { name: source, type, window } = trail.source
  const { snapshot, ...counts } = matching.save()
  const saved: SavedFile = {
    source,
    type,
    ...(window !== undefined && { window: String(window) }),
    ...(timestamp && { timestamp }),
    group: trail.group.name,
    path: resolve(path),
    ...(mark && { mark: saveMark({ ...mark, lines: linesRead(trail) }) }),
    ...(next && { next: saveMark(next.mark) }),
    anew: mark ? placeToStartAnew(mark, trail) : { offset: 0, lines: 0 },
    ...counts,
    seen,
  }
  const text = JSON.stringify(saved)
  // The snapshot is JSON already, and may be large.
  return snapshot ? `${text.slice(0, -1)},"snapshot":${new TextDecoder().decode(snapshot)}}` : text
}

/** From where a detector that knows nothing has to read: the last entry may not have been matched yet. */
function placeToStartAnew(mark: Mark, { matching }: Trail): Start {
  if (!matching.isPending) return { offset: mark.lineEnd, lines: matching.linesOfFile }
  if (matching.isUntouched) return mark.start
  return { offset: mark.lineStart, lines: Math.max(0, matching.linesOfFile - 1) }
}

/** Goes on where a trail was left. */
export function restoreTrail(saved: SavedFile, timestamp: CustomTimestamp | undefined): Beginning {
  const { snapshot, firstLines, lines, isPending, isUntouched } = saved
  const mark = saved.mark && restoreMark(saved.mark)
  const isSameTime = JSON.stringify(saved.timestamp) === JSON.stringify(timestamp)
  const bytes = snapshot && new TextEncoder().encode(JSON.stringify(snapshot))
  return {
    mark: mark && !isSameTime ? { ...mark, start: { offset: mark.offset, lines: mark.lines } } : mark,
    next: saved.next && restoreMark(saved.next),
    matching: { snapshot: bytes, firstLines, lines, isPending, isUntouched },
    isNext: !isSameTime || mark === undefined,
  }
}

/** Goes on in the same place, but with rules that know nothing of what came before. */
export function restorePlace({ mark: saved, next, anew }: SavedFile): Beginning {
  if (!saved) return { ...FROM_THE_START, next: next && restoreMark(next) }
  const mark = restoreMark(saved)
  if (!mark.isComplete) goBack(mark, anew.offset)
  return {
    mark: { ...mark, start: anew },
    next: next && restoreMark(next),
    matching: startingAt(anew.lines),
    isNext: false,
  }
}

function startingAt(lines: number): SavedMatching {
  return { snapshot: undefined, firstLines: [-lines], lines: 0, isPending: false, isUntouched: true }
}

export function saveMark({ key, head, tail, sealed, target, ...rest }: Mark): SavedMark {
  const [device = '', inode = ''] = key.split(':')
  return {
    device,
    inode,
    // The next run may stand in another folder.
    target: resolve(target),
    ...rest,
    head: head.toString('base64'),
    tail: tail.toString('base64'),
    ...(sealed && { sealed: { size: sealed.size, modified: String(sealed.modified) } }),
  }
}

export function restoreMark({ device, inode, head, tail, sealed, ...rest }: SavedMark): Mark {
  return {
    ...rest,
    key: `${device}:${inode}`,
    head: Buffer.from(head, 'base64'),
    tail: Buffer.from(tail, 'base64'),
    sealed: sealed && { size: sealed.size, modified: BigInt(sealed.modified) },
  }
}
