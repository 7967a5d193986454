import { readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { nearest } from '@omen/engine/messages'
import { isRefusal } from './contents.js'
import { type Found, type FoundFile, foundFile, type Skipped, statOf } from './found-file.js'
import { isPattern, matchGlob } from './match-glob.js'
import { inParallel, openData } from './open-data.js'
import { describeReadError } from './read-error.js'
import { walkFolder } from './walk-folder.js'

/** A file with a zero byte among its first bytes is not text. */
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
    return reason === undefined ? [] : [{ path, reason }]
  })
  const isEmpty = texts.length === 0 && problems.length === 0
  return {
    files: texts,
    problems: isEmpty ? [`${folder}: no file matches: the folder contains no text`] : problems,
    skipped: [...skipped, ...others],
  }
}

/** Why a file in a folder is left out. One that cannot be read is kept: the reason is reported when it is read. */
async function reasonToSkip(path: string): Promise<string | undefined> {
  try {
    const data = await openData(path)
    try {
      const head = new Uint8Array(HEAD)
      const length = await data.read(head)
      return head.subarray(0, length).includes(0) ? 'binary' : undefined
    } finally {
      await data.close()
    }
  } catch (error) {
    return isRefusal(error) ? error.message : undefined
  }
}

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
