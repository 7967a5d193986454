import { basicAuthorization, readTokenResponse } from '../discovery/check-client.js'
import { FetchFailure } from '../discovery/fetch-failure.js'
import { type GuardedRequest, readJsonObject } from '../discovery/guarded-fetch.js'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import type { RedeemDeps, SignInClient } from './redeem-callback.js'
import { SignInFailure } from './sign-in-failure.js'
import { verifyIdToken } from './verify-id-token.js'

export interface RenewalRequest {
  readonly provider: Provider
  readonly client: Omit<SignInClient, 'redirectUri'>
  readonly refreshToken: string
  /** The user of the tokens. */
  readonly subject: string
}

/**
 * The result of using a refresh token. `renewed` has the next refresh token if the provider rotates them; `unclear` means that
 * the response says nothing about the user.
 */
export type Renewal =
  | { readonly result: 'renewed'; readonly refreshToken: string | undefined; readonly idToken: string | undefined }
  | { readonly result: 'rejected'; readonly reason: string }
  | { readonly result: 'unclear'; readonly reason: string }

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** How each method sends the client id and secret, in the same way as when the client was checked. */
const AUTHENTICATE: Readonly<
  Record<ClientAuthMethod, (client: RenewalRequest['client'], grant: Record<string, string>) => GuardedRequest>
> = {
  client_secret_basic: ({ clientId, clientSecret }, grant) => ({
    headers: { ...FORM, authorization: basicAuthorization(clientId, clientSecret) },
    body: new URLSearchParams(grant).toString(),
  }),
  client_secret_post: ({ clientId, clientSecret }, grant) => ({
    headers: FORM,
    body: new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret }).toString(),
  }),
}

/**
 * Sends a refresh token to the token endpoint. Only `invalid_grant` and tokens of another user are rejections: a provider that
 * is unavailable, or that no longer knows the client, has said nothing about the user.
 *
 * @example
 * const { result } = await renewTokens({ provider, client, refreshToken, subject }, { guarded, keySets, now })
 */
export async function renewTokens(request: RenewalRequest, deps: RedeemDeps): Promise<Renewal> {
  const { provider, client, refreshToken } = request
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  try {
    const response = await deps.guarded.fetch(provider.tokenEndpoint, {
      method: 'POST',
      ...AUTHENTICATE[client.authMethod](client, grant),
    })
    if (response.status === 200) return await readTokens(readJsonObject(response), request, deps)
    const { error, status } = readTokenResponse(response)
    if (error === 'invalid_grant' && status < 500) return { result: 'rejected', reason: error }
    return { result: 'unclear', reason: error ?? `status ${status}` }
  } catch (error) {
    if (error instanceof FetchFailure) return { result: 'unclear', reason: error.message }
    throw error
  }
}

async function readTokens(
  { access_token, refresh_token, id_token }: Readonly<Record<string, unknown>>,
  { provider, client, subject }: RenewalRequest,
  { keySets, now }: RedeemDeps,
): Promise<Renewal> {
  if (typeof access_token !== 'string' || access_token === '') return { result: 'unclear', reason: 'no access token' }
  const refreshToken = typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : undefined
  if (typeof id_token !== 'string') return { result: 'renewed', refreshToken, idToken: undefined }
  try {
    const expected = { provider, clientId: client.clientId, nonce: undefined }
    const claims = await verifyIdToken(id_token, expected, { keySets, now })
    if (claims.sub !== subject) return { result: 'rejected', reason: 'another subject' }
    return { result: 'renewed', refreshToken, idToken: id_token }
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error
    // The token endpoint accepted the refresh token. An ID token that cannot be verified is not stored.
    return { result: 'renewed', refreshToken, idToken: undefined }
  }
}
