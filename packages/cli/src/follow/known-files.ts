import { basename, dirname } from 'node:path'
import { inspect } from '../sources/contents.js'
import { closeFile, type FoundStat, openFile, readAt, statOpen } from './file-stat.js'
import { folderOf, isRotated, type OpenFile, openAfter, resolved } from './find-rotated.js'
import type { FollowedFile, Group } from './followed-file.js'
import { continueIn, continueUnsealed, fits, isSealed, type ReadPosition } from './read-position.js'
import { isStillRead } from './states.js'

/** A name that reads a file, or will read it next, and its position in it. */
interface Reader {
  readonly reader: FollowedFile
  readonly position: ReadPosition
}

/** How far a file was read, and the key that it had then; or the name that is still reading it. */
type Known =
  | { readonly position: ReadPosition; readonly formerKey: string }
  | { readonly waitsFor: NonNullable<FollowedFile['waitsFor']> }

/** As many bytes as show what kind of data a file holds. */
const SIGNATURE = 512

/**
 * Finds out whether a file that a name leads to for the first time was read before under another name: a rotation renamed,
 * copied or compressed it. Undefined: it is new.
 */
export async function findKnown(
  followed: FollowedFile,
  { path, file }: OpenFile,
  { key }: Pick<FoundStat, 'key'>,
): Promise<Known | undefined> {
  const { group } = followed
  const finished = group.finished.get(key)
  if (finished && isSameFile(file, finished)) return { position: continueIn(finished, key, path), formerKey: key }

  const isCompressed = isPacked(file)
  const folders = [folderOf(path), dirname(resolved(path))]
  const isCopyOf = async (position: ReadPosition, name: string) =>
    position.hasTimes &&
    position.offset > 0 &&
    isRotated(basename(name), basename(path)) &&
    folders.includes(folderOf(name)) &&
    (isCompressed ? beginsPacked(path, position) : fits(file, position))

  for (const other of group.files.values()) {
    const { position } = other
    if (other !== followed && position && (await isCopyOf(position, other.path)))
      return { waitsFor: { reader: other, position, key } }
  }
  for (const position of [...group.finished.values()].reverse()) {
    if (!(await isCopyOf(position, position.target))) continue
    const copied = { ...continueUnsealed(position, key, path), isPacked: isCompressed }
    return { position: copied, formerKey: position.key }
  }
  return undefined
}

/**
 * Whether another name reads the file that a name leads to now: a rotation renamed it, or it has two names. The other name
 * goes on until it has read all; until then this one waits for it.
 */
export function isReadByAnother(followed: FollowedFile, { key }: FoundStat): boolean {
  const { waitsFor } = followed
  if (waitsFor?.key === key && isStillRead(waitsFor)) return true
  const found = readerOf(followed.group, key, followed.path)
  if (!found || found.reader === followed) return false
  followed.waitsFor = { ...found, key }
  return true
}

/** The name that reads the file with this key under this path, or will read it next. */
export function readerOf({ owners }: Group, key: string, path: string): Reader | undefined {
  const reader = owners.get(key)
  if (!reader) return undefined
  const { position, file, successor } = reader
  if (successor?.file !== undefined && successor.position.key === key) return { reader, position: successor.position }
  if (position?.key !== key) return undefined
  // The key of a deleted file is given to a new one, unless the old one is open.
  const isIt = file !== undefined || isTrueOf(path, (opened) => isSameFile(opened, position))
  return isIt ? { reader, position } : undefined
}

/** Whether an open file is the one that was read, and not a new one with the same key. */
export function isSameFile(file: number, position: ReadPosition): boolean {
  if (position.sealed) return isSealed(position, statOpen(file))
  return position.isPacked ? isPacked(file) : fits(file, position)
}

/** Whether the decoded data of a file begins with what was read. */
export async function beginsPacked(path: string, position: ReadPosition): Promise<boolean> {
  // Half an archive is opened again when it is whole.
  const copy = await openAfter(path, position).catch(() => undefined)
  copy?.close()
  return copy !== undefined
}

/** Whether a name is that of a rotated file of a log that is followed too. Such files are deleted in the end. */
export function isArchive({ group, path }: FollowedFile): boolean {
  const folder = dirname(path)
  const name = basename(path)
  for (const other of group.files.values()) {
    if (dirname(other.path) === folder && isRotated(basename(other.path), name)) return true
  }
  return false
}

/** Whether the file under a path is compressed, or not UTF-8. */
export function holdsPacked(path: string): boolean {
  return isTrueOf(path, isPacked)
}

function isPacked(file: number): boolean {
  const head = new Uint8Array(SIGNATURE)
  const contents = inspect(head.subarray(0, readAt(file, head, 0)))
  return contents.is === 'compressed' || (contents.is === 'text' && contents.encoding !== undefined)
}

/** Opens the file under a path to test it; false if it cannot be opened. */
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
