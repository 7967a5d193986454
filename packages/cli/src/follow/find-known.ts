import { basename, dirname } from 'node:path'
import { folderOf, isRotated, type OpenFile, openBehind, resolved } from './find-rest.js'
import type { Sight } from './look.js'
import { fits, type Mark, markBehind, unsealedBehind } from './mark.js'
import { isOfMark, isPacked } from './taken.js'
import type { Trail } from './trail.js'

/** How far a file was read, with the number that it had then; or who is still reading it. */
type Known = { readonly mark: Mark; readonly formerKey: string } | { readonly waitsFor: NonNullable<Trail['waitsFor']> }

/**
 * Finds out whether a file that a name leads to for the first time was read before under another name: it was renamed,
 * copied or compressed by a rotation. Undefined: it is new.
 */
export async function findKnown(
  trail: Trail,
  { path, file }: OpenFile,
  { key }: Pick<Sight, 'key'>,
): Promise<Known | undefined> {
  const { group } = trail
  const left = group.left.get(key)
  if (left && isOfMark(file, left)) return { mark: markBehind(left, key, path), formerKey: key }

  const isCompressed = isPacked(file)
  const places = [folderOf(path), dirname(resolved(path))]
  const isCopyOf = async (mark: Mark, name: string) =>
    mark.hasTimes &&
    mark.offset > 0 &&
    isRotated(basename(name), basename(path)) &&
    places.includes(folderOf(name)) &&
    (isCompressed ? beginsPacked(path, mark) : fits(file, mark))

  for (const other of group.trails.values()) {
    const { mark } = other
    if (other !== trail && mark && (await isCopyOf(mark, other.path))) return { waitsFor: { trail: other, mark, key } }
  }
  for (const mark of [...group.left.values()].reverse()) {
    if (!(await isCopyOf(mark, mark.target))) continue
    return { mark: { ...unsealedBehind(mark, key, path), isPacked: isCompressed }, formerKey: mark.key }
  }
  return undefined
}

/** Whether what is packed in a file begins with what a mark says was read. */
export async function beginsPacked(path: string, mark: Mark): Promise<boolean> {
  // Half an archive is looked into again when it is whole.
  const copy = await openBehind(path, mark).catch(() => undefined)
  copy?.close()
  return copy !== undefined
}
