import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Failure } from '../failure.js'

/** What a write to a path reaches. */
export type Target =
  /** `existing` is undefined if there is no file yet. */
  | { readonly kind: 'file'; readonly path: string; readonly existing: Stats | undefined }
  /** An open file of this process, such as `/dev/stdout`. */
  | { readonly kind: 'descriptor'; readonly number: number }
  | { readonly kind: 'fifo' | 'device'; readonly path: string }

const STANDARD_STREAMS: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 }

/** The number of links that Linux follows. */
const LONGEST_CHAIN = 40

/**
 * Follows symbolic links to the target of a write, even if the last link points to a file that does not exist yet. Names of open
 * files of this process are recognised: if it were opened again, a redirected `/dev/stdout` would be overwritten from its start.
 */
export function findTarget(path: string): Target {
  let current = resolve(path)
  for (let links = 0; links <= LONGEST_CHAIN; links++) {
    const number = descriptorNamed(current)
    if (number !== undefined) return { kind: 'descriptor', number }
    const entry = lstatSync(current, { throwIfNoEntry: false })
    if (!entry?.isSymbolicLink()) return classify(path, current, entry)
    current = resolve(dirname(current), readlinkSync(current))
  }
  throw new Failure('Output', `${path}: too many symbolic links; choose another name`)
}

function descriptorNamed(path: string): number | undefined {
  const numbered = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/.exec(path)?.[1]
  return numbered === undefined ? STANDARD_STREAMS[path] : Number(numbered)
}

function classify(given: string, path: string, entry: Stats | undefined): Target {
  if (entry === undefined || entry.isFile()) return { kind: 'file', path, existing: entry }
  if (entry.isFIFO()) return { kind: 'fifo', path }
  if (entry.isCharacterDevice()) return { kind: 'device', path }
  if (entry.isDirectory()) throw new Failure('Output', `${given}: is a directory; give a file name`)
  // A block device is a whole disk, which a report must not overwrite.
  throw new Failure('Output', `${given}: is not a file; give a file name`)
}
