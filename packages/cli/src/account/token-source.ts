import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { Failure } from '../failure.js'
import { type Environment, unlessAborted } from '../network/connection.js'
import { isSingleFile, packagedPath } from '../packaged/files.js'
import type { Session } from '../session.js'
import { type AccountClock, CLOCK } from './account-clock.js'
import { openAccountService } from './account-service.js'
import type { Tokens } from './read-responses.js'
import { identityOf } from './service-address.js'
import { isExpired, readSignIn, readTokens, type SignIn, withTokenLock, writeSignIn } from './token-file.js'

/** Provides the tokens for a service. */
export interface TokenSource {
  /** The token to send; undefined if there is none any more. Rejects with a `Failure` if it has expired and cannot be renewed. */
  current(signal?: AbortSignal): Promise<string | undefined>
  /** Another token after one was refused; undefined if there is none. */
  renewed(refused: string, signal?: AbortSignal): Promise<string | undefined>
  /** Whether a renewal is running. */
  readonly isRenewing: boolean
}

/**
 * The tokens for a service: those of its own sign-in, or for `service.url` the token that an operator issued. Undefined if there
 * are none. With `inBackground`, another process renews them, because the caller does not wait.
 *
 * @example
 * openService({ url, tokens: openTokens(session, new URL(url)), env, limits })
 */
export function openTokens(
  { loaded, env }: Pick<Session, 'loaded' | 'env'>,
  url: URL,
  { inBackground = false }: { readonly inBackground?: boolean } = {},
): TokenSource | undefined {
  const { folder, settings } = loaded
  const found = readTokens(folder)
  if (found === undefined) return undefined
  if ('token' in found) {
    const isConfigured = settings.serviceUrl !== undefined && new URL(settings.serviceUrl).origin === url.origin
    return isConfigured ? issuedToken(found.token) : undefined
  }
  if (found.service !== identityOf(url)) return undefined
  const renew = inBackground
    ? (expired: SignIn, signal?: AbortSignal) => renewInBackground(expired, { folder, env, signal })
    : (expired: SignIn) => renewSignIn(expired, { folder, url, env, clock: CLOCK })
  return signedInTokens(found, { now: CLOCK.now, renew })
}

/** A token that an operator issued cannot be renewed. */
export function issuedToken(token: string): TokenSource {
  return { current: async () => token, renewed: async () => undefined, isRenewing: false }
}

/**
 * The tokens of a sign-in, renewed when they expire or are refused. A renewal continues when its caller no longer waits: its
 * tokens must be stored.
 *
 * @example
 * const tokens = signedInTokens(signIn, { now: Date.now, renew: (expired) => renewSignIn(expired, context) })
 */
export function signedInTokens(
  first: SignIn,
  {
    now,
    renew,
  }: {
    readonly now: () => number
    readonly renew: (expired: SignIn, signal?: AbortSignal) => Promise<SignIn | undefined>
  },
): TokenSource {
  let signIn: SignIn | undefined = first
  // Renewed tokens are used even if they expire at once: otherwise every request would renew them again.
  let isFresh = false
  let renewing: Promise<SignIn | undefined> | undefined
  async function next(expired: SignIn, signal?: AbortSignal): Promise<string | undefined> {
    renewing ??= renew(expired, signal).finally(() => {
      renewing = undefined
    })
    // Prevents an unhandled rejection when no caller waits any more.
    renewing.catch(() => {})
    signIn = await (signal ? unlessAborted(renewing, signal) : renewing)
    isFresh = true
    return signIn?.accessToken
  }
  return {
    current: async (signal) =>
      signIn && !isFresh && isExpired(signIn, now()) ? next(signIn, signal) : signIn?.accessToken,
    renewed: async (refused, signal) => {
      if (signIn?.accessToken !== refused) return signIn?.accessToken
      return next(signIn, signal)
    },
    get isRenewing() {
      return renewing !== undefined
    },
  }
}

export interface RenewContext {
  readonly folder: string
  /** The service, with the user name and password that a proxy before it may require. */
  readonly url: URL
  readonly env: Environment
  readonly clock: AccountClock
}

/** A lost response may have used up the refresh token: the service returns the same pair again for a short time. */
const RETRY_PAUSES = [0, 500, 2000]

/**
 * Gets the next pair of tokens after one that has expired or was refused. A refresh token can be used once: only one process
 * requests the pair, and the others take it from the file, where it is stored before it is used. Undefined if the user has
 * signed out in the meantime. Rejects with a `Failure` that says what to do.
 *
 * @example
 * const { accessToken } = (await renewSignIn(signIn, { folder, url, env: process.env, clock: CLOCK })) ?? {}
 */
export async function renewSignIn(expired: SignIn, context: RenewContext): Promise<SignIn | undefined> {
  const { folder, clock } = context
  return withTokenLock(folder, clock, async () => {
    const current = readSignIn(folder)
    if (current?.service !== expired.service) return undefined
    if (current.accessToken !== expired.accessToken && !isExpired(current, clock.now())) return current
    const { accessToken, refreshToken, lifetime } = await refresh(current, context)
    const renewed = { service: current.service, accessToken, refreshToken, expiresAt: clock.now() + lifetime }
    await writeSignIn(folder, renewed)
    return renewed
  })
}

async function refresh({ refreshToken }: SignIn, { url, env, clock }: RenewContext): Promise<Tokens> {
  const service = openAccountService({ url, env })
  const { host } = service.url
  try {
    let failure = ''
    for (const pause of RETRY_PAUSES) {
      await clock.pause(pause)
      const response = await service.refresh(refreshToken)
      if ('accessToken' in response) return response
      if ('error' in response) throw refused(host, response.error)
      failure = response.failure
    }
    throw new Failure('Network', `${host}: ${failure}: the sign-in could not be renewed: try again later`)
  } finally {
    service.close()
  }
}

function refused(host: string, error: string): Failure {
  const reason = error === 'invalid_grant' ? 'the sign-in has ended' : `the sign-in was not renewed (${error})`
  return new Failure('Network', `${host}: ${reason}. Sign in again: omen login`)
}

export interface BackgroundContext {
  readonly folder: string
  readonly env: Environment
  readonly signal?: AbortSignal | undefined
  /** Starts the process that renews the sign-in, and resolves when it has ended. */
  readonly start?: (env: Environment) => Promise<void>
}

/**
 * Renews the sign-in in another process, which continues when this one ends: a scan does not wait for a service, and a used
 * refresh token whose new pair is lost would end the sign-in. That process also checks for updates, because scans that are hours
 * apart would find expired tokens each time. Undefined if tokens cannot be stored.
 *
 * @example
 * signedInTokens(signIn, { now: Date.now, renew: (expired, signal) => renewInBackground(expired, { folder, env, signal }) })
 */
export async function renewInBackground(
  expired: SignIn,
  { folder, env, signal, start = startCheck }: BackgroundContext,
): Promise<SignIn | undefined> {
  if (!isWritable(folder)) return undefined
  await (signal ? unlessAborted(start(env), signal) : start(env))
  const signIn = readSignIn(folder)
  if (signIn?.service !== expired.service || signIn.accessToken !== expired.accessToken) return signIn
  const { host } = new URL(expired.service)
  throw new Failure('Network', `${host}: the sign-in could not be renewed: run omen whoami to see why`)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The process prints nothing, and keeps no pipe of this process open. */
function startCheck(env: Environment): Promise<void> {
  return new Promise((resolve) => {
    const script = isSingleFile() ? [] : [packagedPath('omen.js')]
    const child = spawn(process.execPath, [...script, 'updates', 'check', '-q'], {
      env,
      detached: true,
      stdio: 'ignore',
    })
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
    child.unref()
  })
}
