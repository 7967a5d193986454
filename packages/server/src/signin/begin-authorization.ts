import { hash, randomBytes } from 'node:crypto'
import type { Provider } from '../discovery/provider.js'

/** 256 bits, which are 43 characters in base64url, the minimum that PKCE requires. */
const RANDOM_BYTES = 32

/** A sign-in that has begun. Everything but the URL is needed to redeem its callback. */
export interface Authorization {
  /** The URL at the identity provider. */
  readonly url: string
  readonly state: string
  readonly nonce: string
  /** The PKCE verifier (RFC 7636): shows the token endpoint that the code belongs to this authorization. */
  readonly verifier: string
}

export interface AuthorizationClient {
  readonly clientId: string
  readonly redirectUri: string
  /** The user that the provider should ask for. */
  readonly loginHint?: string
}

/**
 * Begins a sign-in: authorization code flow with PKCE (S256), a fresh state and a fresh nonce.
 *
 * @example
 * const { url, state, nonce, verifier } = beginAuthorization(provider, { clientId, redirectUri })
 */
export function beginAuthorization(
  provider: Pick<Provider, 'authorizationEndpoint' | 'scopes'>,
  { clientId, redirectUri, loginHint }: AuthorizationClient,
): Authorization {
  const [state, nonce, verifier] = [randomString(), randomString(), randomString()]
  // Existing parameters of the endpoint are kept.
  const url = new URL(provider.authorizationEndpoint)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: chooseScopes(provider),
    state,
    nonce,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...(loginHint !== undefined && { login_hint: loginHint }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, state, nonce, verifier }
}

/**
 * A random string for URLs and cookies.
 *
 * @example
 * randomString() // '3vDAfs4r…', 43 characters
 */
export function randomString(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url')
}

/** Whether a value has the form of `randomString()`. Others are not looked up. */
export function isRandomString(value: string | undefined): value is string {
  return value !== undefined && /^[\w-]{43}$/.test(value)
}

/** The hash that is stored instead of a secret string. */
export function hashString(value: string): string {
  return hash('sha256', value, 'hex')
}

/** For the subject, the address, the name and a refresh token. */
const WANTED = ['openid', 'email', 'profile', 'offline_access'] as const

/**
 * The scopes of a sign-in: of those that are wanted, the ones that the provider publishes. If it publishes none, all of them.
 * `openid` is always included, because OpenID Connect requires it.
 *
 * @example
 * chooseScopes({ scopes: ['openid', 'email', 'groups'] }) // 'openid email'
 */
export function chooseScopes({ scopes }: Pick<Provider, 'scopes'>): string {
  return WANTED.filter((scope) => scope === 'openid' || scopes === undefined || scopes.includes(scope)).join(' ')
}
