import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { closeFile, lookAt, lookAtOpen, openFile } from './look.js'
import { advance, beginAlike, endAlike, type Mark, newMark } from './mark.js'

/** A file that holds what was read of another one, and perhaps more: opened behind what was read. */
export interface Copy {
  read(into: Uint8Array): number | Promise<number>
  close(): void
}

/** A file that was opened, and where. */
export interface OpenFile {
  readonly path: string
  readonly file: number
}

/** Folders with more files than this are not looked through file by file: only names that look rotated are. */
const MOST_FILES = 10_000

/** So many rotated files of one log are looked into, the latest first. */
const MOST_COPIES = 16

const SKIPPED_AT_ONCE = 1 << 16

/**
 * Finds the very file that was read under another name, where a rotation has put it, and opens it.
 *
 * @example
 * findRenamed('/var/log/app.log', mark) // {path: '/var/log/app.log.1', file: 17}
 */
export function findRenamed(path: string, mark: Mark): OpenFile | undefined {
  for (const candidate of [path, mark.target, ...siblings(path, mark)]) {
    // Without a byte to recognise it by, the number alone does not tell: it may be that of another log by now.
    if (mark.offset === 0 && candidate !== path && !mayBecome(basename(path), basename(candidate))) continue
    if (lookAt(candidate)?.kind !== 'file') continue
    const file = openIf(candidate, mark.key)
    if (file !== undefined) return { path: candidate, file }
  }
  return undefined
}

/**
 * Finds a copy of what was read beside it, compressed or not: a rotation by copying, or one that compressed the file. Only
 * for logs whose lines have times: others may begin alike and be different.
 */
export async function findCopy(
  path: string,
  mark: Mark,
  isTaken: (key: string, path: string) => boolean,
): Promise<{ readonly copy: Copy; readonly key: string; readonly path: string } | undefined> {
  if (!mark.hasTimes || mark.offset === 0) return undefined
  const seen = siblings(path, mark).filter((candidate) => isRotated(basename(path), basename(candidate)))
  const latest = seen
    .flatMap((candidate) => {
      const sight = lookAt(candidate)
      return sight?.kind === 'file' && !isTaken(sight.key, candidate) && sight.key !== mark.key
        ? [{ candidate, sight }]
        : []
    })
    .sort((a, b) => Number(b.sight.modified - a.sight.modified))
    .slice(0, MOST_COPIES)
  for (const { candidate, sight } of latest) {
    // Half an archive, perhaps: not what we look for.
    const copy = await openBehind(candidate, mark).catch(() => undefined)
    if (copy) return { copy, key: sight.key, path: candidate }
  }
  return undefined
}

/**
 * Opens a file, by its path or a descriptor that was not read from yet, behind the bytes that a mark says were read, if it
 * begins with them. Compressed files are unpacked. Throws when it cannot be read.
 */
export async function openBehind(source: string | number, mark: Mark): Promise<Copy | undefined> {
  const { openData } = await import('../sources/open-data.js')
  const data = await openData(source)
  const probe = newMark(mark.key, mark.target)
  const room = new Uint8Array(SKIPPED_AT_ONCE)
  let isSame = false
  try {
    while (probe.offset < mark.offset && beginAlike(probe, mark)) {
      const count = await data.read(room.subarray(0, Math.min(room.length, mark.offset - probe.offset)))
      if (count === 0) break
      advance(probe, room.subarray(0, count))
    }
    isSame = probe.offset === mark.offset && beginAlike(probe, mark) && endAlike(probe, mark)
    return isSame ? { read: (into) => data.read(into), close: () => data.close() } : undefined
  } finally {
    if (!isSame) data.close()
  }
}

/** Whether a name is what a rotation makes of another one: `app.log.1`, `app.log-20260301.gz`, `app-2026-03-01.log`. */
export function isRotated(name: string, candidate: string): boolean {
  if (candidate === name) return false
  const [stem = name] = name.split('.', 1)
  return [name, stem].some(
    (start) => start !== '' && candidate.startsWith(start) && /^[-._~]/.test(candidate.slice(start.length)),
  )
}

/** What rotations add to a name: `.1`, `-20260301`, `.2026-03-01T12:00`, `.old`, `.gz`. */
const ADDED = /[-._~](\d[\dTZ:+]*|old|bak|prev|gz|bz2|xz|zst)(?=[-._~]|$)/g

/** Whether a rotation may give a file with this name the other one: none makes `app.log` or `app.json` of `app.log.1`. */
function mayBecome(name: string, candidate: string): boolean {
  const log = candidate.replace(ADDED, '')
  return candidate !== name && candidate !== log && name.replace(ADDED, '') === log
}

/** The other files in the folders where a log lies: that of its name, and that of the file behind symbolic links. */
function siblings(path: string, mark: Mark): string[] {
  const places = new Map<string, string>(
    [path, mark.target, resolved(path)].map((place) => [dirname(place), basename(place)]),
  )
  return [...places].flatMap(([folder, name]) => {
    const names = namesIn(folder)
    const likely = names.filter((other) => isRotated(name, other))
    const others = names.length > MOST_FILES ? [] : names.filter((other) => !isRotated(name, other))
    return [...likely, ...others].map((other) => join(folder, other))
  })
}

/** The path behind symbolic links, as far as it leads anywhere; absolute. */
export function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** The folder that a name stands in, however the name is spelled. */
export function folderOf(path: string): string {
  return resolved(dirname(path))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function openIf(path: string, key: string): number | undefined {
  if ((lookAt(path) as { key?: string } | undefined)?.key !== key) return undefined
  let file: number | undefined
  try {
    file = openFile(path)
    if (lookAtOpen(file).key === key) return file
  } catch {
    // It went while we looked.
  }
  if (file !== undefined) closeFile(file)
  return undefined
}
