import {
  allowInsecureRequests,
  authorizationCodeGrant,
  type ClientAuth,
  Configuration,
  clockSkew,
  clockTolerance,
  customFetch,
  fetchUserInfo,
} from 'openid-client'
import { basicAuthorization } from '../discovery/check-client.js'
import type { GuardedFetch } from '../discovery/guarded-fetch.js'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import type { EmailClaims } from './admit-email.js'
import { explainGrantError, explainUserinfoError } from './explain-errors.js'
import { guardedResponse } from './guarded-response.js'
import type { KeySets } from './key-sets.js'
import { Refused } from './refusal.js'
import { CLOCK_TOLERANCE_SECONDS, verifyIdToken } from './verify-id-token.js'

/** A client with its secret, and the address where its users come back. */
export interface SignInClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly authMethod: ClientAuthMethod
  readonly redirectUri: string
}

/** A browser that has come back from an identity provider, and what was remembered when it left. */
export interface Arrival {
  readonly provider: Provider
  readonly client: SignInClient
  readonly expected: { readonly state: string; readonly nonce: string; readonly verifier: string }
  /** The query of the callback. */
  readonly query: URLSearchParams
}

/** Who signed in, by an ID token that was verified. */
export interface Identity extends EmailClaims {
  readonly issuer: string
  readonly subject: string
  readonly name?: string
  readonly refreshToken?: string
  readonly idToken: string
  /** What the provider calls its own session (`sid`). */
  readonly providerSession?: string
}

export interface RedeemParts {
  readonly guarded: GuardedFetch
  readonly keySets: KeySets
  readonly now: Date
}

/** How the methods carry the client's id and secret: exactly as they did when the client was checked. */
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
 * The address is taken from the ID token, or else from the userinfo of the same subject. Throws a `Refused` for whatever is
 * not as it must be.
 *
 * @example
 * const { subject, email } = await redeemCallback({ provider, client, expected, query }, { guarded, keySets, now })
 */
export async function redeemCallback(arrival: Arrival, parts: RedeemParts): Promise<Identity> {
  const { provider, client, expected, query } = arrival
  const seen: Seen = { status: undefined, idToken: undefined }
  const configuration = configure(arrival, parts, seen)
  const tokens = await authorizationCodeGrant(configuration, callbackUrl(client.redirectUri, query), {
    expectedState: expected.state,
    expectedNonce: expected.nonce,
    pkceCodeVerifier: expected.verifier,
    idTokenExpected: true,
  }).catch(async (error: unknown) => {
    // Of a token that the library refuses, ours says best why.
    if (seen.idToken !== undefined) await verify(seen.idToken, arrival, parts)
    throw explainGrantError(error, arrival, seen.status)
  })
  const claims = await verify(tokens.id_token ?? '', arrival, parts)
  const told =
    claims.email === undefined ? await askUserinfo(configuration, tokens.access_token, claims.sub, provider) : claims
  const name = claims.name ?? told.name
  return {
    issuer: provider.issuer,
    subject: claims.sub,
    email: told.email,
    email_verified: told.email_verified,
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    idToken: tokens.id_token ?? '',
    ...(typeof claims.sid === 'string' && claims.sid !== '' ? { providerSession: claims.sid } : {}),
  }
}

/** What the token endpoint answered. */
interface Seen {
  status: number | undefined
  idToken: string | undefined
}

function verify(idToken: string, { provider, client, expected }: Arrival, { keySets, now }: RedeemParts) {
  return verifyIdToken(idToken, { provider, clientId: client.clientId, nonce: expected.nonce }, { keySets, now })
}

/** The library takes the redirect URI from the address that was called: it is the one that was registered, behind any proxy. */
function callbackUrl(redirectUri: string, query: URLSearchParams): URL {
  const url = new URL(redirectUri)
  url.search = query.toString()
  return url
}

function configure({ provider, client }: Arrival, { guarded, now }: RedeemParts, seen: Seen): Configuration {
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
      // The library reads the clock of the machine; ours is passed in.
      [clockSkew]: Math.round((now.getTime() - Date.now()) / 1000),
      [clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    },
    AUTHENTICATE[client.authMethod](client),
  )
  const send = guardedResponse(guarded)
  configuration[customFetch] = async (url, options) => {
    const response = await send(url, options)
    if (url === new URL(provider.tokenEndpoint).href) {
      seen.status = response.status
      seen.idToken = await idTokenIn(response.clone())
    }
    return response
  }
  // Whether an address without HTTPS is allowed is the guard's to decide, by the settings of this server.
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

interface Told extends EmailClaims {
  readonly name?: unknown
}

/** Many providers put the address there only. */
async function askUserinfo(
  configuration: Configuration,
  accessToken: string,
  subject: string,
  { userinfoEndpoint }: Provider,
): Promise<Told> {
  if (userinfoEndpoint === undefined) return {}
  try {
    return (await fetchUserInfo(configuration, accessToken, subject)) as Told
  } catch (error) {
    throw error instanceof Refused ? error : explainUserinfoError(error, userinfoEndpoint)
  }
}
