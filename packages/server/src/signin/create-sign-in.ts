import type { Clock } from '../clock.js'
import type { GuardedFetch } from '../discovery/guarded-fetch.js'
import type { Provider } from '../discovery/provider.js'
import { type Authorization, type AuthorizationClient, beginAuthorization } from './begin-authorization.js'
import { createKeySets } from './key-sets.js'
import { type Arrival, type Identity, redeemCallback } from './redeem-callback.js'
import { type Refusal, Refused } from './refusal.js'

/** Sign-in by OpenID Connect, as a relying party. It stores nothing but the published keys of providers. */
export interface SignIn {
  begin(provider: Provider, client: AuthorizationClient): Authorization
  /** Gives who signed in, or why nobody did. Never rejects for what an identity provider or a browser sends. */
  redeem(arrival: Arrival): Promise<Identity | Refusal>
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
    redeem: async (arrival) => {
      try {
        return await redeemCallback(arrival, { guarded, keySets, now: clock() })
      } catch (error) {
        if (error instanceof Refused) return error.refusal
        throw error
      }
    },
  }
}
