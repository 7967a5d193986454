import {
  allowInsecureRequests,
  authorizationCodeGrant,
  type ClientAuth,
  Configuration,
  type CustomFetchOptions,
  clockSkew,
  clockTolerance,
  customFetch,
  fetchUserInfo,
} from 'openid-client'
import { basicAuthorization } from '../discovery/check-client.js'
import { FetchFailure } from '../discovery/fetch-failure.js'
import type { GuardedFetch, GuardedResponse } from '../discovery/guarded-fetch.js'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import type { EmailClaims } from './admit-email.js'
import { explainGrantError, explainUserinfoError } from './explain-errors.js'
import type { KeySets } from './key-sets.js'
import { SignInFailure } from './sign-in-failure.js'
import { CLOCK_TOLERANCE_SECONDS, verifyIdToken } from './verify-id-token.js'

/** A client with its secret and redirect URI. */
export interface SignInClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly authMethod: ClientAuthMethod
  readonly redirectUri: string
}

/** The callback of a browser, and the values that were stored when it left. */
export interface RedeemRequest {
  readonly provider: Provider
  readonly client: SignInClient
  readonly expected: { readonly state: string; readonly nonce: string; readonly verifier: string }
  /** The query of the callback. */
  readonly query: URLSearchParams
}

/** The identity of a user, from a verified ID token. */
export interface Identity extends EmailClaims {
  readonly issuer: string
  readonly subject: string
  readonly name?: string
  readonly refreshToken?: string
  readonly idToken: string
  /** The provider's session id (`sid`). */
  readonly providerSession?: string
}

export interface RedeemDeps {
  readonly guarded: GuardedFetch
  readonly keySets: KeySets
  readonly now: Date
}

/** How each method sends the client id and secret, in the same way as when the client was checked. */
const AUTHENTICATE: Readonly<Record<ClientAuthMethod, (client: SignInClient) => ClientAuth>> = {
  client_secret_basic:
    ({ clientId, clientSecret }) =>
    (_as, _client, _body, headers) => {
      headers.set('authorization', basicAuthorization(clientId, clientSecret))
    },
  client_secret_post:
    ({ clientId, clientSecret }) =>
    (_as, _client, body) => {
      body.set('client_id', clientId)
      body.set('client_secret', clientSecret)
    },
}

/**
 * Redeems a callback: checks the authorization response, exchanges the code with the PKCE verifier, and verifies the ID token.
 * The address comes from the ID token, or else from the userinfo of the same subject. Throws a `SignInFailure` if a check fails.
 *
 * @example
 * const { subject, email } = await redeemCallback({ provider, client, expected, query }, { guarded, keySets, now })
 */
export async function redeemCallback(request: RedeemRequest, deps: RedeemDeps): Promise<Identity> {
  const { provider, client, expected, query } = request
  const seen: SeenResponse = { status: undefined, idToken: undefined }
  const configuration = configure(request, deps, seen)
  const tokens = await authorizationCodeGrant(configuration, callbackUrl(client.redirectUri, query), {
    expectedState: expected.state,
    expectedNonce: expected.nonce,
    pkceCodeVerifier: expected.verifier,
    idTokenExpected: true,
  }).catch(async (error: unknown) => {
    // Our own check explains best why the library rejects a token.
    if (seen.idToken !== undefined) await verify(seen.idToken, request, deps)
    throw explainGrantError(error, request, seen.status)
  })
  const claims = await verify(tokens.id_token ?? '', request, deps)
  const emailClaims =
    claims.email === undefined ? await fetchUserinfo(configuration, tokens.access_token, claims.sub, provider) : claims
  const name = claims.name ?? emailClaims.name
  return {
    issuer: provider.issuer,
    subject: claims.sub,
    email: emailClaims.email,
    email_verified: emailClaims.email_verified,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    idToken: tokens.id_token ?? '',
    ...(typeof claims.sid === 'string' && claims.sid !== '' ? { providerSession: claims.sid } : {}),
  }
}

/** The response of the token endpoint. */
interface SeenResponse {
  status: number | undefined
  idToken: string | undefined
}

function verify(idToken: string, { provider, client, expected }: RedeemRequest, { keySets, now }: RedeemDeps) {
  return verifyIdToken(idToken, { provider, clientId: client.clientId, nonce: expected.nonce }, { keySets, now })
}

/** The library sends the URL of the callback as the redirect URI. It must be the registered one, even behind a proxy. */
function callbackUrl(redirectUri: string, query: URLSearchParams): URL {
  const url = new URL(redirectUri)
  url.search = query.toString()
  return url
}

function configure(
  { provider, client }: RedeemRequest,
  { guarded, now }: RedeemDeps,
  seen: SeenResponse,
): Configuration {
  const configuration = new Configuration(
    {
      issuer: provider.issuer,
      authorization_endpoint: provider.authorizationEndpoint,
      token_endpoint: provider.tokenEndpoint,
      jwks_uri: provider.jwksUri,
      ...(provider.userinfoEndpoint === undefined ? {} : { userinfo_endpoint: provider.userinfoEndpoint }),
      id_token_signing_alg_values_supported: [...provider.signingAlgorithms],
      authorization_response_iss_parameter_supported: provider.sendsIssuer,
    },
    client.clientId,
    {
      // The library reads the system clock; this adjusts it to the injected one.
      [clockSkew]: Math.round((now.getTime() - Date.now()) / 1000),
      [clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    },
    AUTHENTICATE[client.authMethod](client),
  )
  const send = fetchThrough(guarded)
  configuration[customFetch] = async (url, options) => {
    const response = await send(url, options)
    if (url === new URL(provider.tokenEndpoint).href) {
      seen.status = response.status
      seen.idToken = await idTokenIn(response.clone())
    }
    return response
  }
  // The guard decides, by the settings of this server, whether http:// is allowed.
  allowInsecureRequests(configuration)
  return configuration
}

async function idTokenIn(response: Response): Promise<string | undefined> {
  if (response.status !== 200) return undefined
  const body: unknown = await response.json().catch(() => undefined)
  const { id_token: idToken } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly id_token?: unknown
  }
  return typeof idToken === 'string' ? idToken : undefined
}

interface UserinfoClaims extends EmailClaims {
  readonly name?: unknown
}

/** Many providers send the address only in the userinfo. */
async function fetchUserinfo(
  configuration: Configuration,
  accessToken: string,
  subject: string,
  { userinfoEndpoint }: Provider,
): Promise<UserinfoClaims> {
  if (userinfoEndpoint === undefined) return {}
  try {
    return (await fetchUserInfo(configuration, accessToken, subject)) as UserinfoClaims
  } catch (error) {
    throw error instanceof SignInFailure ? error : explainUserinfoError(error, userinfoEndpoint)
  }
}

/** `Response` does not allow a body with these statuses. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * Gives a library a `fetch` that uses the guard: public addresses, no redirects, bounded in time and size.
 *
 * @example
 * configuration[customFetch] = fetchThrough(guarded)
 */
export function fetchThrough(guarded: GuardedFetch): (url: string, options: CustomFetchOptions) => Promise<Response> {
  return async (url, { method, headers, body }) => {
    const response = await guarded.fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    })
    return toResponse(response)
  }
}

function toResponse({ status, headers, body }: GuardedResponse): Response {
  if (status < 200 || status > 599) throw new FetchFailure('unreachable', `it returned status ${status}`)
  const challenge = headers['www-authenticate']
  return new Response(WITHOUT_BODY.has(status) ? null : Buffer.from(body), {
    status,
    // JSON is read whatever its declared type; a signed (JWT) response is not JSON and is not supported.
    headers: {
      'content-type': 'application/json',
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    },
  })
}
