import type { Clock } from '../clock.js'
import type { GuardedFetch } from '../discovery/guarded-fetch.js'
import type { Provider } from '../discovery/provider.js'
import { type Authorization, type AuthorizationClient, beginAuthorization } from './begin-authorization.js'
import { createKeySets } from './key-sets.js'
import { type Logout, type LogoutExpectation, readLogoutToken } from './read-logout-token.js'
import { type Arrival, type Identity, redeemCallback } from './redeem-callback.js'
import { type Refusal, Refused } from './refusal.js'
import { type Renewal, type RenewalRequest, renewTokens } from './renew-tokens.js'

/** Sign-in by OpenID Connect, as a relying party. It stores nothing but the published keys of providers. */
export interface SignIn {
  begin(provider: Provider, client: AuthorizationClient): Authorization
  /** Gives who signed in, or why nobody did. Never rejects for what an identity provider or a browser sends. */
  redeem(arrival: Arrival): Promise<Identity | Refusal>
  /** Asks the provider whether somebody is still welcome, by a refresh token. Never rejects for what a provider says. */
  renew(request: RenewalRequest): Promise<Renewal>
  /** Whom a provider wants to be signed out, or why its word does not count. */
  readLogout(token: string, expected: LogoutExpectation): Promise<Logout | Refusal>
}

export interface SignInOptions {
  readonly guarded: GuardedFetch
  readonly clock: Clock
}

/**
 * Makes the service's side of sign-in.
 *
 * @example
 * const signIn = createSignIn({ guarded: createGuardedFetch({ allowInsecure: false }), clock: () => new Date() })
 * const { url, state, nonce, verifier } = signIn.begin(provider, { clientId, redirectUri })
 */
export function createSignIn({ guarded, clock }: SignInOptions): SignIn {
  const keySets = createKeySets({ guarded, clock })
  return {
    begin: beginAuthorization,
    redeem: (arrival) => orRefusal(redeemCallback(arrival, { guarded, keySets, now: clock() })),
    renew: (request) => renewTokens(request, { guarded, keySets, now: clock() }),
    readLogout: (token, expected) => orRefusal(readLogoutToken(token, expected, { keySets, now: clock() })),
  }
}

async function orRefusal<T>(work: Promise<T>): Promise<T | Refusal> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}
