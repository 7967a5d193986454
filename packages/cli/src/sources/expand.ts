import { readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { nearest } from '@omen/engine/messages'
import { isNotText, refusedKind } from './contents.js'
import { type Found, type FoundFile, foundFile, statOf } from './found-file.js'
import { isPattern, matchGlob } from './match-glob.js'
import { inParallel, openData } from './open-data.js'
import { describeReadError } from './read-error.js'
import { describeSkipped, type Skipped } from './skipped.js'
import { walkFolder } from './walk-folder.js'

/** A file that begins with this many zero bytes is not text. */
const HEAD = 4096

/**
 * Finds the files of a path: the file that it names, of whatever kind; those in the folder that it names; or those that it
 * matches as a pattern. A path that exists is not a pattern. Files in a folder that are not text are left out.
 *
 * @example
 * await expand('logs') // { files: [{ path: 'logs/app.log', … }], problems: [], skipped: [{ path: 'logs/core', … }] }
 */
export async function expand(path: string): Promise<Found> {
  try {
    const stats = statOf(path)
    return stats.isDirectory() ? await expandFolder(path) : found([foundFile(path, stats)])
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG'
    if (isMissing && isPattern(path)) return matchGlob(path)
    const reason = code === 'ENOENT' ? describeMissing(path) : describeReadError(error)
    return { files: [], problems: [`${path}: ${reason}`], skipped: [] }
  }
}

function found(files: readonly FoundFile[]): Found {
  return { files, problems: [], skipped: [] }
}

async function expandFolder(folder: string): Promise<Found> {
  const { files, problems, skipped } = walkFolder(folder, statOf(folder))
  const reasons = await inParallel(files, ({ path }) => reasonToSkip(path))
  const texts = files.filter((_, index) => reasons[index] === undefined)
  const others = files.flatMap(({ path }, index): Skipped[] => {
    const reason = reasons[index]
    return reason === undefined ? [] : [{ path, ...reason }]
  })
  const left = [...skipped, ...others]
  const isEmpty = texts.length === 0 && problems.length === 0
  return { files: texts, problems: isEmpty ? [describeNoText(folder, left)] : problems, skipped: left }
}

function describeNoText(folder: string, skipped: readonly Skipped[]): string {
  const found = skipped.length === 0 ? '' : `, only ${describeSkipped(skipped).join('; ')}`
  return `${folder}: no file matches: the folder contains no text${found}`
}

/** Why a file in a folder is left out. One that cannot be read is kept: the reason is reported when it is read. */
async function reasonToSkip(path: string): Promise<Omit<Skipped, 'path'> | undefined> {
  try {
    const data = await openData(path)
    try {
      const head = new Uint8Array(HEAD)
      const length = await data.read(head)
      const isAllZero = length > 0 && head.subarray(0, length).every((byte) => byte === 0)
      return isAllZero ? BINARY : undefined
    } finally {
      await data.close()
    }
  } catch (error) {
    if (isNotText(error)) return BINARY
    const kind = refusedKind(error)
    return kind && { kind, reason: (error as Error).message }
  }
}

const BINARY = { kind: 'binary', reason: 'binary' } as const

/** Names the folder, and a file in it with a similar name. */
function describeMissing(path: string): string {
  const folder = dirname(resolve(path))
  const name = basename(path)
  try {
    const names = readdirSync(folder)
    if (names.includes(name)) return 'a broken symbolic link'
    const similar = nearest(name, names)
    return `no such file in ${folder}${similar === undefined ? '' : `: did you mean ${similar}?`}`
  } catch {
    return `no such file: there is no folder ${folder}`
  }
}
