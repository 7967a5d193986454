import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../failure.js'

/** Whether the data directory had to be made, and what is doubtful about it. */
export interface DataFolder {
  readonly isNew: boolean
  readonly warning: string | undefined
}

const WORLD_WRITABLE = 0o002
const STICKY = 0o1000

/**
 * Makes the data directory, for its owner alone, or checks that the one that is there can be used. The mode of a directory that
 * is there stays as it is: it may be a volume, or somebody's home.
 *
 * @example
 * prepareDataFolder('/var/lib/omen') // { isNew: true, warning: undefined }
 */
export function prepareDataFolder(folder: string): DataFolder {
  try {
    const isNew = makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw new Error('it is not a folder')
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return { isNew, warning: warningOf(folder) }
  } catch (error) {
    throw new Failure('Start', `${folder}: ${reasonOf(error)}: choose the data directory with --data-dir`)
  }
}

function warningOf(folder: string): string | undefined {
  const { mode } = statSync(folder)
  if ((mode & WORLD_WRITABLE) === 0 || (mode & STICKY) !== 0) return undefined
  return `everybody may write to ${folder}, and so replace its keys: chmod o-w ${folder}`
}

/** Node's own `recursive` never returns where a folder cannot be made though the one above it exists, as below /proc. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, 0o700)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
  }
  makeFolder(dirname(folder))
  mkdirSync(folder, 0o700)
  return true
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'this file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENOENT: 'it cannot be made here',
  ENAMETOOLONG: 'the path is too long',
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}
