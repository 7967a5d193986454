import type { Session } from '../session.js'
import { CLOCK } from './account-clock.js'
import { renewSignIn } from './renew.js'
import { renewAside } from './renew-aside.js'
import { identityOf } from './service-address.js'
import { readTokens, type SignIn } from './token-file.js'
import { issuedToken, signedInTokens, type TokenSource } from './token-source.js'

export interface OpenTokensOptions {
  /** Nobody waits for a renewal: it is left to a process of its own. */
  readonly isAside?: boolean
}

/**
 * The tokens that a service may see: those that it gave, or for `service.url` the one that somebody put into `.ruletoken`.
 * Undefined where there are none for it.
 *
 * @example
 * openService({ url, tokens: openTokens(session, new URL(url)), env, limits })
 */
export function openTokens(
  { loaded, env }: Pick<Session, 'loaded' | 'env'>,
  url: URL,
  { isAside = false }: OpenTokensOptions = {},
): TokenSource | undefined {
  const { folder, settings } = loaded
  const found = readTokens(folder)
  if (found === undefined) return undefined
  if ('token' in found) {
    const isOurs = settings.serviceUrl !== undefined && new URL(settings.serviceUrl).origin === url.origin
    return isOurs ? issuedToken(found.token) : undefined
  }
  if (found.service !== identityOf(url)) return undefined
  const renew = isAside
    ? (stale: SignIn, signal?: AbortSignal) => renewAside(stale, { folder, env, signal })
    : (stale: SignIn) => renewSignIn(stale, { folder, url, env, clock: CLOCK })
  return signedInTokens(found, { now: CLOCK.now, renew })
}
