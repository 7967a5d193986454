import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.js'
import type { Session } from '../session.js'
import { readSmallFile } from '../settings/document/read-small-file.js'
import { maskPassword } from '../settings/mask-url.js'

export const KINDS = ['rules', 'private', 'tool'] as const
export type Kind = (typeof KINDS)[number]

/** The state between runs. Times are milliseconds since 1970. */
export interface UpdateState {
  /** The service, without a password. The state of another service is not used. */
  readonly service: string
  /** The time of the last response. */
  readonly checked?: number
  /** The last response, and its ETag. */
  readonly response?: string
  readonly etag?: string
  /** The response may be out of date: an announced file could not be downloaded, or the user has changed. */
  readonly outdated?: boolean
  /** After a failure, scans send no request before this time. */
  readonly retryAt?: number
  /** A scan has started a process that renews the sign-in and checks for updates, and that has not finished yet. */
  readonly renewing?: boolean
  /** Whether the response offers an update; `declined` if the user has declined or seen all of them. */
  readonly news?: 'none' | 'declined' | 'some'
  /** The version of the tool and `rulesVersion` for which `news` holds. */
  readonly newsFor?: string
  /** The versions that the user has declined. */
  readonly declined?: Versions
  /** The versions for which the user has seen the command to run, since the last check. */
  readonly notified?: Versions
}

/** A version of each kind. */
type Versions = Readonly<Partial<Record<Kind, string>>>

/** In the configuration directory. */
export const STATE_FILE = 'updates.json'

/**
 * Reads the state of a service; an empty state if the file is missing or not valid. Never throws.
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
    response = '',
    etag = '',
    retryAt = 0,
    declined = {},
    notified = {},
  } = value as Partial<UpdateState>
  const strings = [service, response, etag]
  return (
    strings.every((value) => typeof value === 'string') &&
    [checked, retryAt].every(Number.isSafeInteger) &&
    [declined, notified].every((versions) => typeof versions === 'object' && versions !== null)
  )
}

/**
 * Writes the state to a temporary file and renames it. The file is not synced to the disk, because that can be slow: after a
 * power failure the next run checks again. Does nothing in a directory that is not writable.
 */
export function writeUpdateState(folder: string, state: UpdateState): void {
  // The process ID is not enough: two containers that share the folder may have the same one.
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
    // Nothing depends on it.
  }
}

/**
 * Makes the next scan check for updates again: after a sign-in or sign-out the service may offer other packages.
 *
 * @example
 * requireCheck(session)
 */
export function requireCheck({ loaded }: Pick<Session, 'loaded'>): void {
  const { folder, settings } = loaded
  if (settings.serviceUrl === undefined) return
  const state = readUpdateState(folder, maskPassword(settings.serviceUrl))
  if (state.checked !== undefined) writeUpdateState(folder, { ...state, outdated: true, retryAt: 0 })
}
