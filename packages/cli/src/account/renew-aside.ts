import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { Failure } from '../failure.js'
import type { Environment } from '../network/connection.js'
import { unlessAborted } from '../network/connection.js'
import { isSingleFile, packagedPath } from '../packaged/files.js'
import { readSignIn, type SignIn } from './token-file.js'

/** Starts what renews the sign-in and asks the service, and resolves when that has ended. */
export type StartAside = (env: Environment) => Promise<void>

/**
 * Renews the sign-in in a process of its own, which goes on when this one ends: a scan waits for nobody, and a refresh token that
 * is spent without what it buys being kept would end the sign-in. That process also asks what is new, for the next scan: scans
 * that are hours apart would find their tokens over each time. Undefined where nothing can be kept.
 *
 * @example
 * signedInTokens(signIn, { now: Date.now, renew: (stale, signal) => renewAside(stale, { folder, env, signal }) })
 */
export async function renewAside(
  stale: SignIn,
  { folder, env, signal, start = startCheck }: AsideContext,
): Promise<SignIn | undefined> {
  if (!canKeep(folder)) return undefined
  await (signal ? unlessAborted(start(env), signal) : start(env))
  const signIn = readSignIn(folder)
  if (signIn?.service !== stale.service || signIn.accessToken !== stale.accessToken) return signIn
  throw new Failure('Network', `${new URL(stale.service).host}: the sign-in could not be renewed: omen whoami says why`)
}

export interface AsideContext {
  readonly folder: string
  readonly env: Environment
  readonly signal?: AbortSignal | undefined
  readonly start?: StartAside
}

function canKeep(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Nothing of it is shown, and it holds none of our pipes open. */
const startCheck: StartAside = (env) =>
  new Promise((resolve) => {
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
