import { readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { nearest } from '@omen/engine/messages'
import { isRefusal } from './contents.js'
import { type Found, type FoundFile, foundFile, lookAt, type Skipped } from './found-file.js'
import { inParallel } from './in-parallel.js'
import { isPattern, matchGlob } from './match-glob.js'
import { openData } from './open-data.js'
import { describeReadError } from './read-error.js'
import { walkFolder } from './walk-folder.js'

/** So many files are open at once at most. */
const MOST_OPEN = 32

/** A zero byte in so many first bytes: no text. */
const LOOK = 4096

/**
 * Finds the files that a path stands for: the one it names, whatever that is; those in the folder it names; or those that it
 * matches as a pattern. A path that exists is no pattern. In a folder what is no text is left out.
 *
 * @example
 * await expand('logs') // { files: [{ path: 'logs/app.log', … }], problems: [], skipped: [{ path: 'logs/core', … }] }
 */
export async function expand(path: string): Promise<Found> {
  try {
    const stats = lookAt(path)
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
  const { files, problems, skipped } = walkFolder(folder, lookAt(folder))
  const reasons = await inParallel(files, MOST_OPEN, ({ path }) => reasonToSkip(path))
  const texts = files.filter((_, index) => reasons[index] === undefined)
  const others = files.flatMap(({ path }, index): Skipped[] => {
    const reason = reasons[index]
    return reason === undefined ? [] : [{ path, reason }]
  })
  const isEmpty = texts.length === 0 && problems.length === 0
  return {
    files: texts,
    problems: isEmpty ? [`${folder}: no file matches: the folder has no text in it`] : problems,
    skipped: [...skipped, ...others],
  }
}

/** Why a file that nobody named is not read. What cannot be read now is kept: reading it will tell why. */
async function reasonToSkip(path: string): Promise<string | undefined> {
  try {
    const data = await openData(path)
    try {
      const head = new Uint8Array(LOOK)
      const length = await data.read(head)
      return head.subarray(0, length).includes(0) ? 'binary' : undefined
    } finally {
      await data.close()
    }
  } catch (error) {
    return isRefusal(error) ? error.message : undefined
  }
}

/** Says where it was looked for, and what lies there under a name much like it. */
function describeMissing(path: string): string {
  const folder = dirname(resolve(path))
  const name = basename(path)
  try {
    const names = readdirSync(folder)
    if (names.includes(name)) return 'a link that leads nowhere'
    const alike = nearest(name, names)
    return `no such file in ${folder}${alike === undefined ? '' : `: did you mean ${alike}?`}`
  } catch {
    return `no such file: there is no folder ${folder}`
  }
}
