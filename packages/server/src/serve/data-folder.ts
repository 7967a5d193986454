import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../failure.js'

/** Whether the data directory was created, and a warning about its mode. */
export interface DataFolder {
  readonly isNew: boolean
  readonly warning: string | undefined
}

const WORLD_WRITABLE = 0o002
const STICKY = 0o1000

/**
 * Creates the data directory, for its owner only, or checks that the existing one can be used. The mode of an existing directory
 * stays as it is: it may be a volume, or a home directory.
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
  return `every user may write to ${folder}, and so replace its keys: run chmod o-w ${folder}`
}

/** `mkdirSync` with `recursive` never returns where a folder cannot be created though its parent exists, as below /proc. */
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
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENOENT: 'it cannot be created',
  ENAMETOOLONG: 'the path is too long',
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}
