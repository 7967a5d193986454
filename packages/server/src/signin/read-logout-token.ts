import type { Provider } from '../discovery/provider.js'
import type { KeySets } from './key-sets.js'
import { SignInFailure } from './sign-in-failure.js'
import { CLOCK_TOLERANCE_SECONDS, verifyWithAnyKey } from './verify-id-token.js'

export interface LogoutExpectation {
  readonly provider: Pick<Provider, 'issuer' | 'jwksUri' | 'signingAlgorithms'>
  readonly clientId: string
}

/** What a provider ends: a session of the provider, all sessions of a user, or both. */
export interface Logout {
  readonly subject: string | undefined
  readonly providerSession: string | undefined
  /** Unique for each logout token. */
  readonly tokenId: string
  /** After this time the token is too old to be accepted. */
  readonly expiresAt: Date
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** A provider sends the token immediately; an older one may be a replay. */
const MAX_AGE_SECONDS = 600

/** Some providers do not send the type. A token of another type is not accepted. */
const KINDS: readonly unknown[] = ['logout+jwt', 'application/logout+jwt', 'jwt', undefined]

const LONGEST_CLAIM = 255

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0): signed by the provider, for this client, about this event,
 * and not an ID token. Throws a `SignInFailure` otherwise. The caller must check that it was not used before.
 *
 * @example
 * const { subject, providerSession } = await readLogoutToken(token, { provider, clientId }, { keySets, now })
 */
export async function readLogoutToken(
  token: string,
  { provider, clientId }: LogoutExpectation,
  { keySets, now }: { readonly keySets: KeySets; readonly now: Date },
): Promise<Logout> {
  if (!KINDS.includes(kindOf(token))) throw wrong('is not of the type logout+jwt')
  const claims = await verifyWithAnyKey(token, keySets, provider, {
    algorithms: [...provider.signingAlgorithms],
    issuer: provider.issuer,
    audience: clientId,
    requiredClaims: ['iss', 'aud', 'iat', 'jti', 'events'],
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: now,
  })
  if ('nonce' in claims) throw wrong('has a nonce, which only ID tokens have')
  if (!isEvent(claims.events)) throw wrong('is not about a logout')
  const subject = readClaim(claims.sub)
  const providerSession = readClaim(claims.sid)
  if (subject === undefined && providerSession === undefined) throw wrong('names neither a session nor a user')
  const tokenId = readClaim(claims.jti)
  if (tokenId === undefined) throw wrong('has no "jti" that can be read')
  const seconds = claims.iat! + MAX_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS
  return { subject, providerSession, tokenId, expiresAt: new Date(seconds * 1000) }
}

function isEvent(events: unknown): boolean {
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, EVENT)) return false
  const event = (events as Readonly<Record<string, unknown>>)[EVENT]
  return typeof event === 'object' && event !== null && !Array.isArray(event)
}

function readClaim(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && value.length <= LONGEST_CLAIM && !/[\p{Cc}\p{Cs}]/u.test(value)) {
    return value
  }
  throw wrong('has a claim that cannot be read')
}

function kindOf(token: string): unknown {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    const { typ } = (header ?? {}) as { readonly typ?: unknown }
    return typeof typ === 'string' ? typ.toLowerCase() : typ
  } catch {
    return null
  }
}

function wrong(what: string): SignInFailure {
  return new SignInFailure('id_token_unreadable', `The logout token ${what}.`)
}
