import { hash, randomBytes } from 'node:crypto'
import type { Provider } from '../discovery/provider.js'
import { chooseScopes } from './choose-scopes.js'

/** 256 bits: nobody guesses them, and two are never the same. In base64url they are 43 characters, as PKCE wants them. */
const RANDOM_BYTES = 32

/** A sign-in that has begun. All but the URL is for whoever redeems its callback. */
export interface Authorization {
  /** Where the browser goes. */
  readonly url: string
  readonly state: string
  readonly nonce: string
  /** Of PKCE (RFC 7636): proves at the token endpoint that the code belongs to this authorization. */
  readonly verifier: string
}

export interface AuthorizationClient {
  readonly clientId: string
  readonly redirectUri: string
  /** Whom the provider should ask for. */
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
  const [state, nonce, verifier] = [randomText(), randomText(), randomText()]
  // The endpoint may have parameters of its own, which stay.
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
 * A random text that can stand in an address and in a cookie.
 *
 * @example
 * randomText() // '3vDAfs4r…', 43 characters
 */
export function randomText(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url')
}

/** Whether a text can be one of `randomText` at all: only such a text is looked up. */
export function isRandomText(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}

/** What is kept of such a text, to know it again. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex')
}
