import { basicAuthorization } from '../discovery/check-client.js'
import { FetchFailure } from '../discovery/fetch-failure.js'
import type { GuardedRequest } from '../discovery/guarded-fetch.js'
import type { ClientAuthMethod, Provider } from '../discovery/provider.js'
import { readJsonObject } from '../discovery/read-json.js'
import { readTokenAnswer } from '../discovery/token-answer.js'
import type { RedeemParts, SignInClient } from './redeem-callback.js'
import { Refused } from './refusal.js'
import { verifyIdToken } from './verify-id-token.js'

export interface RenewalRequest {
  readonly provider: Provider
  readonly client: Omit<SignInClient, 'redirectUri'>
  readonly refreshToken: string
  /** Who the tokens are about. */
  readonly subject: string
}

/**
 * What a provider says to a refresh token: yes, with the token for the next time where it gives another; no; or nothing that can
 * be understood, which says nothing about the person.
 */
export type Renewal =
  | { readonly answer: 'yes'; readonly refreshToken: string | undefined; readonly idToken: string | undefined }
  | { readonly answer: 'no'; readonly reason: string }
  | { readonly answer: 'unclear'; readonly reason: string }

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** How the methods carry the client's id and secret: exactly as they did when the client was checked. */
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
 * Asks the token endpoint with a refresh token. Only `invalid_grant`, and tokens about somebody else, are a no: a provider that
 * is away, or that has forgotten its client, has not said anything about the person.
 *
 * @example
 * const { answer } = await renewTokens({ provider, client, refreshToken, subject }, { guarded, keySets, now })
 */
export async function renewTokens(request: RenewalRequest, parts: RedeemParts): Promise<Renewal> {
  const { provider, client, refreshToken } = request
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken }
  try {
    const answer = await parts.guarded.fetch(provider.tokenEndpoint, {
      method: 'POST',
      ...AUTHENTICATE[client.authMethod](client, grant),
    })
    if (answer.status === 200) return await readTokens(readJsonObject(answer), request, parts)
    const { error, status } = readTokenAnswer(answer)
    if (error === 'invalid_grant' && status < 500) return { answer: 'no', reason: error }
    return { answer: 'unclear', reason: error ?? `status ${status}` }
  } catch (error) {
    if (error instanceof FetchFailure) return { answer: 'unclear', reason: error.message }
    throw error
  }
}

async function readTokens(
  { access_token, refresh_token, id_token }: Readonly<Record<string, unknown>>,
  { provider, client, subject }: RenewalRequest,
  { keySets, now }: RedeemParts,
): Promise<Renewal> {
  if (typeof access_token !== 'string' || access_token === '') return { answer: 'unclear', reason: 'no access token' }
  const refreshToken = typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : undefined
  if (typeof id_token !== 'string') return { answer: 'yes', refreshToken, idToken: undefined }
  try {
    const expected = { provider, clientId: client.clientId, nonce: undefined }
    const claims = await verifyIdToken(id_token, expected, { keySets, now })
    if (claims.sub !== subject) return { answer: 'no', reason: 'another subject' }
    return { answer: 'yes', refreshToken, idToken: id_token }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The token endpoint said yes; a token that cannot be verified is not kept, and the refresh token is.
    return { answer: 'yes', refreshToken, idToken: undefined }
  }
}
