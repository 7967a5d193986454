import { unlessAborted } from '../network/connection.js'
import { isOver, type SignIn } from './token-file.js'

/** Where a service's tokens come from. */
export interface TokenSource {
  /** The token to send; undefined when there is none any more. Rejects with a `Failure` where it has to be renewed and cannot be. */
  current(signal?: AbortSignal): Promise<string | undefined>
  /** Another token in place of one that was refused; undefined when there is none. */
  renewed(refused: string, signal?: AbortSignal): Promise<string | undefined>
  /** Whether it waits for another token right now. */
  readonly isRenewing: boolean
}

/** The token that an operator has issued: there is no other. */
export function issuedToken(token: string): TokenSource {
  return { current: async () => token, renewed: async () => undefined, isRenewing: false }
}

/**
 * The tokens of a sign-in, renewed when they are over or refused. A renewal that has begun goes on when nobody waits for it any
 * more: what it brings must be kept.
 *
 * @example
 * const tokens = signedInTokens(signIn, { now: Date.now, renew: (stale) => renewSignIn(stale, context) })
 */
export function signedInTokens(
  first: SignIn,
  {
    now,
    renew,
  }: {
    readonly now: () => number
    readonly renew: (stale: SignIn, signal?: AbortSignal) => Promise<SignIn | undefined>
  },
): TokenSource {
  let signIn: SignIn | undefined = first
  // A service whose tokens end at once is not asked for ever: of those that it gave us we take its word.
  let isFresh = false
  let renewing: Promise<SignIn | undefined> | undefined
  async function next(stale: SignIn, signal?: AbortSignal): Promise<string | undefined> {
    renewing ??= renew(stale, signal).finally(() => {
      renewing = undefined
    })
    // Told to whoever waits, and to nobody when nobody does.
    renewing.catch(() => {})
    signIn = await (signal ? unlessAborted(renewing, signal) : renewing)
    isFresh = true
    return signIn?.accessToken
  }
  return {
    current: async (signal) =>
      signIn && !isFresh && isOver(signIn, now()) ? next(signIn, signal) : signIn?.accessToken,
    renewed: async (refused, signal) => {
      if (signIn?.accessToken !== refused) return signIn?.accessToken
      return next(signIn, signal)
    },
    get isRenewing() {
      return renewing !== undefined
    },
  }
}
