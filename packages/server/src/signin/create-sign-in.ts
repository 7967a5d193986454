import type { Clock } from '../clock.js'
import type { GuardedFetch } from '../discovery/guarded-fetch.js'
import type { Provider } from '../discovery/provider.js'
import { type Authorization, type AuthorizationClient, beginAuthorization } from './begin-authorization.js'
import { createKeySets } from './key-sets.js'
import { type Logout, type LogoutExpectation, readLogoutToken } from './read-logout-token.js'
import { type Identity, type RedeemRequest, redeemCallback } from './redeem-callback.js'
import { type Renewal, type RenewalRequest, renewTokens } from './renew-tokens.js'
import { SignInFailure } from './sign-in-failure.js'

/** Sign-in with OpenID Connect, as a relying party. It keeps nothing but the published keys of identity providers. */
export interface SignIn {
  begin(provider: Provider, client: AuthorizationClient): Authorization
  /** The identity of the user, or why the sign-in failed. Never rejects because of what a provider or a browser sends. */
  redeem(request: RedeemRequest): Promise<Identity | SignInFailure>
  /** Asks the provider, with a refresh token, whether the user may stay signed in. Never rejects because of its response. */
  renew(request: RenewalRequest): Promise<Renewal>
  /** The session or user that a provider signs out, or why the logout token is not valid. */
  readLogout(token: string, expected: LogoutExpectation): Promise<Logout | SignInFailure>
}

export interface SignInOptions {
  readonly guarded: GuardedFetch
  readonly clock: Clock
}

/**
 * Makes the relying party of the service.
 *
 * @example
 * const signIn = createSignIn({ guarded: createGuardedFetch({ allowInsecure: false }), clock: () => new Date() })
 * const { url, state, nonce, verifier } = signIn.begin(provider, { clientId, redirectUri })
 */
export function createSignIn({ guarded, clock }: SignInOptions): SignIn {
  const keySets = createKeySets({ guarded, clock })
  return {
    begin: beginAuthorization,
    redeem: (request) => orFailure(redeemCallback(request, { guarded, keySets, now: clock() })),
    renew: (request) => renewTokens(request, { guarded, keySets, now: clock() }),
    readLogout: (token, expected) => orFailure(readLogoutToken(token, expected, { keySets, now: clock() })),
  }
}

async function orFailure<T>(work: Promise<T>): Promise<T | SignInFailure> {
  try {
    return await work
  } catch (error) {
    if (error instanceof SignInFailure) return error
    throw error
  }
}
