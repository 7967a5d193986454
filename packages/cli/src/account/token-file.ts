import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.js'
import { takeLock } from '../file-lock.js'
import { makeFolder } from '../make-folder.js'
import { writeFileAtomically } from '../output/write-file.js'
import { readTokenLine } from '../settings/rule-token.js'
import type { AccountClock } from './account-clock.js'

/** The tokens that `omen login` stored. */
export interface SignIn {
  /** The service that issued the tokens. They are sent to no other service. */
  readonly service: string
  readonly accessToken: string
  /** Can be used once, for the next pair of tokens. */
  readonly refreshToken: string
  /** When the access token expires, by the clock of this machine, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** A token that an operator issued, and the user wrote into the file. */
export interface IssuedToken {
  readonly token: string
}

/** Tokens of a service have this prefix. The anonymous token of an installation does not, and is never sent. */
const SERVICE_TOKEN = /^omen_/

/** Valid in an HTTP header. */
const TOKEN = /^[\w\-.~+/]{1,2048}=*$/

/** Milliseconds before its expiry at which an access token is renewed, so that it lasts for the next requests. */
const RENEW_BEFORE_EXPIRY = 30_000

/**
 * Reads `.ruletoken`: a sign-in, a token that an operator issued, or undefined for the anonymous token of the installation and
 * for anything else. A sign-in is a JSON object in one line without spaces: an older omen takes it for an anonymous token,
 * which is never sent.
 *
 * @example
 * readTokens('/home/ada/.preq') // { service: 'https://omen.example.com', accessToken: 'omen_at_…', … }
 */
export function readTokens(folder: string): SignIn | IssuedToken | undefined {
  const line = readTokenLine(folder)
  if (line === undefined) return undefined
  return SERVICE_TOKEN.test(line) ? { token: line } : parseSignIn(line)
}

export function readSignIn(folder: string): SignIn | undefined {
  const found = readTokens(folder)
  return found && 'service' in found ? found : undefined
}

function parseSignIn(line: string): SignIn | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const { service, access_token, refresh_token, expires_at } = JSON.parse(line)
    const expiresAt = Date.parse(expires_at)
    const isValid =
      isToken(access_token) &&
      isToken(refresh_token) &&
      typeof service === 'string' &&
      /^https?:/.test(service) &&
      URL.canParse(service)
    if (!isValid || Number.isNaN(expiresAt)) return undefined
    return { service, accessToken: access_token, refreshToken: refresh_token, expiresAt }
  } catch {
    return undefined
  }
}

/** Whether a value is a string with the syntax of a token. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value)
}

/** Whether the access token has expired, or is about to. */
export function isExpired({ expiresAt }: SignIn, now: number): boolean {
  return now >= expiresAt - RENEW_BEFORE_EXPIRY
}

export function tokenPath(folder: string): string {
  return join(folder, '.ruletoken')
}

/** Stores a sign-in for its owner only. A concurrent reader sees the previous sign-in or this one. */
export async function writeSignIn(folder: string, signIn: SignIn): Promise<void> {
  const { service, accessToken, refreshToken, expiresAt } = signIn
  const line = JSON.stringify({
    service,
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_at: new Date(expiresAt).toISOString(),
  })
  await writeFileAtomically(tokenPath(folder), [`${line}\n`], { mode: 0o600 })
}

export function removeTokens(folder: string): void {
  rmSync(tokenPath(folder), { force: true })
  for (const name of temporaryFilesIn(folder)) rmSync(join(folder, name), { force: true })
}

/** Temporary files of processes that were killed while they wrote tokens. */
function temporaryFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\.\.ruletoken\.\w+\.tmp$/.test(name))
  } catch {
    return []
  }
}

/** The holder of the lock requests tokens from a service, which may take this long. Milliseconds. */
const LOCK_TIMEOUT = 40_000
const RETRY_LOCK_AFTER = 50

/** Error codes of a folder that is not writable. */
const READ_ONLY: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM'])

/**
 * Runs `work` while no other process changes the tokens: a refresh token can be used only once. Rejects with a `Failure` if the
 * configuration directory is not writable.
 *
 * @example
 * await withTokenLock(folder, CLOCK, async () => writeSignIn(folder, signIn))
 */
export async function withTokenLock<T>(folder: string, clock: AccountClock, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(`${tokenPath(folder)}.lock`, clock)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

async function waitForLock(path: string, clock: AccountClock) {
  const deadline = clock.monotonic() + LOCK_TIMEOUT
  for (;;) {
    const lock = take(path)
    if (!('heldBy' in lock)) return lock
    if (clock.monotonic() >= deadline) {
      throw new Failure('State', `${path}: the tokens are locked ${lock.heldBy}: try again later`)
    }
    await clock.pause(RETRY_LOCK_AFTER)
  }
}

function take(path: string) {
  const folder = dirname(path)
  try {
    makeFolder(folder)
    return takeLock(path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = `is not writable${code === '' || READ_ONLY.has(code) ? '' : ` (${code})`}`
    const advice = 'make it writable, or set OMEN_CONFIG_DIR to another folder'
    throw new Failure('Config', `${folder} ${reason}, and omen stores tokens there: ${advice}`, { cause: error })
  }
}
