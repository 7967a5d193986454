import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.js'
import { readSmallFile } from '../settings/document/read-small-file.js'

/** What can be updated. */
export const KINDS = ['rules', 'private', 'tool'] as const
export type Kind = (typeof KINDS)[number]

/** What is remembered between runs. Times are milliseconds since 1970. */
export interface UpdateState {
  /** The service that all of this is about, without a password: another one begins anew. */
  readonly service: string
  /** When the service last answered. */
  readonly checked?: number
  /** What it answered, and the tag of that. */
  readonly answer?: string
  readonly etag?: string
  /** What it answered may be out of date: it has announced something that could not be had. */
  readonly doubtful?: boolean
  /** Before this time scans leave the service alone, because something failed. */
  readonly retryAt?: number
  /** A scan has left the question to a process of its own, which has to renew the sign-in first, and has not answered yet. */
  readonly renewing?: boolean
  /**
   * Whether the answer has something that is not installed: `declined` when all of it was turned down. What it was judged by
   * (the version of the tool, `rulesVersion`) stands beside it.
   */
  readonly news?: 'none' | 'declined' | 'some'
  readonly judgedBy?: string
  /** The versions to which somebody has said no. */
  readonly declined?: Versions
  /** The versions that were told of, with what to do by hand, since the last check. */
  readonly told?: Versions
}

/** A version of each kind. */
type Versions = Readonly<Partial<Record<Kind, string>>>

/** In the configuration directory. */
export const STATE_FILE = 'updates.json'

/**
 * What is remembered about a service: little, where nothing can be read. Never throws.
 *
 * @example
 * readUpdateState('/home/ada/.preq', 'https://omen.example.com').checked
 */
export function readUpdateState(folder: string, service: string): UpdateState {
  const file = readSmallFile(join(folder, STATE_FILE))
  try {
    const state: unknown = 'bytes' in file ? JSON.parse(Buffer.from(file.bytes).toString()) : undefined
    return isState(state) && state.service === service ? state : { service }
  } catch {
    return { service }
  }
}

function isState(value: unknown): value is UpdateState {
  if (typeof value !== 'object' || value === null) return false
  const {
    service,
    checked = 0,
    answer = '',
    etag = '',
    retryAt = 0,
    declined = {},
    told = {},
  } = value as Partial<UpdateState>
  const texts = [service, answer, etag]
  return (
    texts.every((text) => typeof text === 'string') &&
    [checked, retryAt].every(Number.isSafeInteger) &&
    [declined, told].every((versions) => typeof versions === 'object' && versions !== null)
  )
}

/**
 * Remembers: written beside and renamed, so that nobody reads half of it. It is not waited for until it is on the disk, which a
 * busy one takes long for: after a power cut the next run asks again. A directory that cannot be written to is fine, too.
 */
export function writeUpdateState(folder: string, state: UpdateState): void {
  // Not the process id alone: two containers that share the folder may have the same one.
  const temporary = join(folder, `.${STATE_FILE}.${process.pid.toString(36)}${Math.random().toString(36).slice(2)}.tmp`)
  try {
    makeFolder(folder)
    writeFileSync(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, join(folder, STATE_FILE))
  } catch {
    discard(temporary)
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Nothing can be done about it, and nothing depends on it.
  }
}
