import { Failure } from '../failure.js'
import type { Environment } from '../network/connection.js'
import type { AccountClock } from './account-clock.js'
import { openAccountService } from './account-service.js'
import type { Tokens } from './read-answers.js'
import { isOver, readSignIn, type SignIn, writeSignIn } from './token-file.js'
import { withTokenLock } from './token-lock.js'

export interface RenewContext {
  readonly folder: string
  /** The service, with the name and password that a proxy before it may want. */
  readonly url: URL
  readonly env: Environment
  readonly clock: AccountClock
}

/** An answer that got lost may have spent the token: the service gives the next pair once more if it is asked soon. */
const PAUSES = [0, 500, 2000]

/**
 * The next pair of tokens after one that is over or was refused. A refresh token is good once: one process at a time asks, and
 * whoever finds that another has done it takes what that one got. The pair is on the disk before it is used. Undefined when
 * somebody has signed out meanwhile. Rejects with a `Failure`: when the service says no, it says to sign in again.
 *
 * @example
 * const { accessToken } = (await renewSignIn(signIn, { folder, url, env: process.env, clock: CLOCK })) ?? {}
 */
export async function renewSignIn(stale: SignIn, context: RenewContext): Promise<SignIn | undefined> {
  const { folder, clock } = context
  return withTokenLock(folder, clock, async () => {
    const current = readSignIn(folder)
    if (current?.service !== stale.service) return undefined
    if (current.accessToken !== stale.accessToken && !isOver(current, clock.now())) return current
    const { accessToken, refreshToken, lasts } = await refresh(current, context)
    const fresh = { service: current.service, accessToken, refreshToken, expiresAt: clock.now() + lasts }
    await writeSignIn(folder, fresh)
    return fresh
  })
}

async function refresh({ refreshToken }: SignIn, { url, env, clock }: RenewContext): Promise<Tokens> {
  const service = openAccountService({ url, env })
  const { host } = service.url
  try {
    let trouble = ''
    for (const pause of PAUSES) {
      await clock.pause(pause)
      const answer = await service.refresh(refreshToken)
      if ('accessToken' in answer) return answer
      if ('error' in answer) throw refused(host, answer.error)
      trouble = answer.trouble
    }
    throw new Failure('Network', `${host}: ${trouble}: the sign-in could not be renewed: try again later`)
  } finally {
    service.close()
  }
}

function refused(host: string, error: string): Failure {
  const reason = error === 'invalid_grant' ? 'the sign-in has ended' : `the sign-in was not renewed (${error})`
  return new Failure('Network', `${host}: ${reason}. Sign in again: omen login`)
}
