import { basename, dirname } from 'node:path'
import { inspect } from '../sources/contents.js'
import { isRotated } from './find-rest.js'
import { closeFile, lookAtOpen, openFile, readAt, type Sight } from './look.js'
import { fits, isSealed, type Mark } from './mark.js'
import type { Group, Trail } from './trail.js'

/** A file that a trail reads, or will read next. */
interface Holding {
  readonly trail: Trail
  readonly mark: Mark
}

/** As many bytes as tell what a file is. */
const SIGNATURE = 512

/**
 * Whether another trail reads the file that a name leads to now: one that a rotation has renamed, or a second name of it.
 * Who reads it goes on until it has read all.
 */
export function isTakenByAnother(trail: Trail, { key }: Sight): boolean {
  if (isWaiting(trail) && trail.waitsFor!.key === key) return true
  const holding = holderOf(trail.group, key, trail.path)
  if (!holding || holding.trail === trail) return false
  trail.waitsFor = { ...holding, key }
  return true
}

/** Who reads the file with this number that stands under this path, or will read it next. */
export function holderOf({ owners }: Group, key: string, path: string): Holding | undefined {
  const trail = owners.get(key)
  if (!trail) return undefined
  const { mark, file, next } = trail
  if (next?.file !== undefined && next.mark.key === key) return { trail, mark: next.mark }
  // The number of a deleted file is given to a new one, unless somebody has it open.
  return mark?.key === key && (file !== undefined || holdsWhatWasRead(path, mark)) ? { trail, mark } : undefined
}

/** Whether the trail that reads the file, or the one that it is a copy of, has not left it yet. */
export function isWaiting({ waitsFor }: Trail): boolean {
  return waitsFor !== undefined && [waitsFor.trail.mark, waitsFor.trail.next?.mark].includes(waitsFor.mark)
}

/** Whether an open file is the one that a mark was made of, and not a new one with the same number. */
export function isOfMark(file: number, mark: Mark): boolean {
  if (mark.sealed) return isSealed(mark, lookAtOpen(file))
  return mark.isPacked ? isPacked(file) : fits(file, mark)
}

/** Whether a file is compressed, or not UTF-8. */
export function isPacked(file: number): boolean {
  const head = new Uint8Array(SIGNATURE)
  const contents = inspect(head.subarray(0, readAt(file, head, 0)))
  return contents.is === 'compressed' || (contents.is === 'text' && contents.encoding !== undefined)
}

/** Whether a name is that of a rotated file of a log that is followed, too. Such files are deleted in the end. */
export function isArchive({ group, path }: Trail): boolean {
  const folder = dirname(path)
  const name = basename(path)
  for (const other of group.trails.values()) {
    if (dirname(other.path) === folder && isRotated(basename(other.path), name)) return true
  }
  return false
}

/** Whether the file under a path is compressed, or not UTF-8. */
export function holdsPacked(path: string): boolean {
  return isTrueOf(path, isPacked)
}

function holdsWhatWasRead(path: string, mark: Mark): boolean {
  return isTrueOf(path, (file) => isOfMark(file, mark))
}

/** Whether something is true of the file under a path, opened for the question; not of one that cannot be. */
function isTrueOf(path: string, isTrue: (file: number) => boolean): boolean {
  let file: number | undefined
  try {
    file = openFile(path)
    return isTrue(file)
  } catch {
    return false
  } finally {
    if (file !== undefined) closeFile(file)
  }
}
