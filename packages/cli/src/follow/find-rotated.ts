import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { logsOf } from '../sources/pieces.js'
import { closeFile, openFile, statName, statOpen } from './file-stat.js'
import { advance, beginAlike, endAlike, type ReadPosition, startOfFile } from './read-position.js'

/** A file that begins with what was read of another one: `read` continues after that. */
export interface OpenCopy {
  read(into: Uint8Array): number | Promise<number>
  close(): void
}

/** A file that was opened, and where. */
export interface OpenFile {
  readonly path: string
  readonly file: number
}

/** In folders with more files than this, only files whose names look rotated are examined. */
const MAX_FILES = 10_000

/** The most rotated files of one log that are opened, the latest first. */
const MAX_COPIES = 16

const SKIPPED_AT_ONCE = 1 << 16

/**
 * Finds and opens the file that was being read, under the name that a rotation gave it.
 *
 * @example
 * findRenamed('/var/log/app.log', position) // {path: '/var/log/app.log.1', file: 17}
 */
export function findRenamed(path: string, position: ReadPosition): OpenFile | undefined {
  for (const candidate of [path, position.target, ...siblings(path, position)]) {
    // If no byte was read to recognize it by, its key may be that of another log by now.
    if (position.offset === 0 && candidate !== path && !mayBecome(basename(path), basename(candidate))) continue
    if (statName(candidate)?.kind !== 'file') continue
    const file = openIf(candidate, position.key)
    if (file !== undefined) return { path: candidate, file }
  }
  return undefined
}

/**
 * Finds a copy of what was read in the same folders, compressed or not: the rotation copied or compressed the file. Only for
 * logs whose lines have times: others may begin alike and be different.
 */
export async function findCopy(
  path: string,
  position: ReadPosition,
  isRead: (key: string, path: string) => boolean,
): Promise<{ readonly copy: OpenCopy; readonly key: string; readonly path: string } | undefined> {
  if (!position.hasTimes || position.offset === 0) return undefined
  const rotated = siblings(path, position).filter((candidate) => isRotated(basename(path), basename(candidate)))
  const latest = rotated
    .flatMap((candidate) => {
      const stat = statName(candidate)
      return stat?.kind === 'file' && !isRead(stat.key, candidate) && stat.key !== position.key
        ? [{ candidate, stat }]
        : []
    })
    .sort((a, b) => Number(b.stat.modified - a.stat.modified))
    .slice(0, MAX_COPIES)
  for (const { candidate, stat } of latest) {
    // Half an archive cannot be read: it is not a copy yet.
    const copy = await openAfter(candidate, position).catch(() => undefined)
    if (copy) return { copy, key: stat.key, path: candidate }
  }
  return undefined
}

/**
 * Opens a file, by its path or by a descriptor that was not read from yet, after the bytes that were read, if it begins with
 * them. Compressed files are decompressed. Throws if the file cannot be read.
 */
export async function openAfter(source: string | number, position: ReadPosition): Promise<OpenCopy | undefined> {
  const { openData } = await import('../sources/open-data.js')
  const data = await openData(source)
  const probe = startOfFile(position.key, position.target)
  const buffer = new Uint8Array(SKIPPED_AT_ONCE)
  let isSame = false
  try {
    while (probe.offset < position.offset && beginAlike(probe, position)) {
      const count = await data.read(buffer.subarray(0, Math.min(buffer.length, position.offset - probe.offset)))
      if (count === 0) break
      advance(probe, buffer.subarray(0, count))
    }
    isSame = probe.offset === position.offset && beginAlike(probe, position) && endAlike(probe, position)
    return isSame ? { read: (into) => data.read(into), close: () => data.close() } : undefined
  } finally {
    if (!isSame) data.close()
  }
}

/**
 * Whether `candidate` may be what a rotation makes of a name: `app.log.1`, `app.log-20260301.gz`, `app-2026-03-01.log`, or a name
 * that only this program's rotation makes. The contents decide.
 */
export function isRotated(name: string, candidate: string): boolean {
  if (candidate === name) return false
  const [stem = name] = name.split('.', 1)
  return [name, stem].some(
    (start) => start !== '' && candidate.startsWith(start) && /^[-._~]/.test(candidate.slice(start.length)),
  )
}

/** Whether a rotation may rename `name` to `candidate`. None renames `app.log.1` to `app.log` or `app.json`. */
function mayBecome(name: string, candidate: string): boolean {
  const logs = logsOf(candidate).filter((log) => log !== candidate)
  return candidate !== name && logsOf(name).some((log) => logs.includes(log))
}

/** The other files in the folders of a log: that of its name, and that of the file after symbolic links. */
function siblings(path: string, position: ReadPosition): string[] {
  const folders = new Map<string, string>(
    [path, position.target, resolved(path)].map((one) => [dirname(one), basename(one)]),
  )
  return [...folders].flatMap(([folder, name]) => {
    const names = namesIn(folder)
    const likely = names.filter((other) => isRotated(name, other))
    const others = names.length > MAX_FILES ? [] : names.filter((other) => !isRotated(name, other))
    return [...likely, ...others].map((other) => join(folder, other))
  })
}

/** The absolute path after symbolic links, as far as they lead anywhere. */
export function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** The folder of a name after symbolic links. */
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
  if ((statName(path) as { key?: string } | undefined)?.key !== key) return undefined
  let file: number | undefined
  try {
    file = openFile(path)
    if (statOpen(file).key === key) return file
  } catch {
    // It was removed meanwhile.
  }
  if (file !== undefined) closeFile(file)
  return undefined
}
