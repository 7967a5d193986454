import { quote } from '@omen/engine/messages'
import { Problem } from '../problem.js'
import { adviseRejected, adviseUnclear, findTypos } from './client-advice.js'
import { FetchFailure, type FetchFailureKind } from './fetch-failure.js'
import { type GuardedFetch, type GuardedRequest, type GuardedResponse, readJsonObject } from './guarded-fetch.js'
import type { ClientAuthMethod, ClientCredentials, Provider } from './provider.js'

/** A code that no provider issues. It explains itself in the provider's log. */
const MADE_UP_CODE = 'omen-connection-check'

/** A valid length by RFC 7636: otherwise a client that requires PKCE would report that instead of the wrong code. */
const MADE_UP_VERIFIER = 'omen-connection-check-'.padEnd(64, '0')

const TRY_AGAIN = 'Try again in a minute.'

/** Advice for failures that do not go away on their own. */
const ADVICE: Partial<Record<FetchFailureKind, string>> = {
  refused: 'Check the token_endpoint that the identity provider publishes.',
  redirected: 'Check the token_endpoint that the identity provider publishes.',
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** How each method sends the client id and secret (RFC 6749, section 2.3.1). */
const AUTHENTICATE: Readonly<Record<ClientAuthMethod, (client: ClientCredentials) => GuardedRequest>> = {
  client_secret_basic: (client) => ({
    headers: { ...FORM, authorization: basicAuthorization(client.clientId, client.clientSecret) },
    body: tokenRequest(client, {}),
  }),
  client_secret_post: (client) => ({
    headers: FORM,
    body: tokenRequest(client, { client_id: client.clientId, client_secret: client.clientSecret }),
  }),
}

/**
 * Checks a client at the token endpoint with a code that does not exist: a provider that rejects only the code has accepted the
 * client. Gives the authentication method that worked. Rejects with a `Problem` of code `client_rejected` or `idp_unavailable`,
 * which contains neither the secret nor the provider's description.
 *
 * @example
 * await checkClient(provider, { clientId, clientSecret, redirectUri }, guarded) // 'client_secret_basic'
 */
export async function checkClient(
  provider: Provider,
  client: ClientCredentials,
  guarded: GuardedFetch,
): Promise<ClientAuthMethod> {
  const responses: TokenResponse[] = []
  for (const method of provider.clientAuthMethods) {
    const response = await tryMethod(method, provider, client, guarded)
    if (response.verdict === 'accepted') return method
    responses.push(response)
  }
  const rejected = responses.find(({ verdict }) => verdict === 'rejected')
  throw rejected === undefined ? describeUnclear(provider, responses) : describeRejected(client, rejected)
}

/**
 * The `Authorization` header of `client_secret_basic`. Both values are form-encoded first, as the standard requires; characters
 * that need no encoding stay as they are, because some providers do not decode.
 *
 * @example
 * basicAuthorization('a', 'b:c') // 'Basic ' + btoa('a:b%3Ac')
 */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString('base64')}`
}

function formEncode(value: string): string {
  // A lone surrogate, which cannot be encoded, becomes a replacement character.
  return encodeURIComponent(Buffer.from(value).toString())
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

function tokenRequest({ redirectUri }: ClientCredentials, credentials: Readonly<Record<string, string>>): string {
  return new URLSearchParams({
    grant_type: 'authorization_code',
    code: MADE_UP_CODE,
    redirect_uri: redirectUri,
    code_verifier: MADE_UP_VERIFIER,
    ...credentials,
  }).toString()
}

async function tryMethod(
  method: ClientAuthMethod,
  { tokenEndpoint }: Provider,
  client: ClientCredentials,
  guarded: GuardedFetch,
): Promise<TokenResponse> {
  try {
    const response = await guarded.fetch(tokenEndpoint, { method: 'POST', ...AUTHENTICATE[method](client) })
    const read = readTokenResponse(response)
    if (read.verdict === 'unavailable') throw unavailable(tokenEndpoint, `it returned ${describe(read)}`, { response })
    return read
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw unavailable(tokenEndpoint, error.message, { cause: error, advice: ADVICE[error.kind] ?? TRY_AGAIN })
  }
}

function describeRejected(client: ClientCredentials, response: TokenResponse): Problem {
  const { fields, advice } = adviseRejected(response)
  const typos = findTypos(client)
  const errors = [...typos, ...fields.map((field) => ({ field, message: advice }))]
  const hint = typos.map(({ field, message }) => ` ${field}: ${message}`).join('')
  return new Problem('client_rejected', `The identity provider returned ${describe(response)}. ${advice}${hint}`, {
    errors,
  })
}

function describeUnclear({ tokenEndpoint }: Provider, responses: readonly TokenResponse[]): Problem {
  const [response] = responses
  if (response === undefined) return unavailable(tokenEndpoint, 'it offers no supported authentication method', {})
  return unavailable(tokenEndpoint, `it returned ${describe(response)}`, { advice: adviseUnclear(response) })
}

function describe({ status, error }: TokenResponse): string {
  return error === undefined ? `status ${status}` : `${quote(error)} (status ${status})`
}

interface UnavailableOptions extends ErrorOptions {
  readonly advice?: string
  readonly response?: GuardedResponse
}

function unavailable(tokenEndpoint: string, reason: string, options: UnavailableOptions): Problem {
  const { advice = TRY_AGAIN, response, ...rest } = options
  const retryAfter = readRetryAfter(response?.headers['retry-after'])
  const detail = `The client could not be checked at ${quote(tokenEndpoint)}: ${reason}. Nothing was changed. ${advice}`
  return new Problem('idp_unavailable', detail, { ...rest, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

/** Passed on if it is a number of seconds, limited to an hour. */
function readRetryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Math.min(Number(value), 3600) : undefined
}

/** The errors of token endpoints (RFC 6749, section 5.2, and others in use). Unknown ones are not repeated in messages. */
const KNOWN_ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'access_denied',
  'redirect_uri_mismatch',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'consent_required',
])

/** What the response to a token request with a made-up code says about the client. */
export interface TokenResponse {
  /**
   * `accepted`: the client is authenticated, only the code is wrong; `rejected`: it is not; `unclear`: the provider did not
   * understand the request; `unavailable`: the response is not one of the protocol.
   */
  readonly verdict: 'accepted' | 'rejected' | 'unclear' | 'unavailable'
  readonly status: number
  /** A known error. */
  readonly error: string | undefined
  /** The provider's description. It may repeat the secret, so it is never shown. */
  readonly description: string
}

const VERDICTS: Readonly<Record<string, TokenResponse['verdict']>> = {
  invalid_grant: 'accepted',
  invalid_client: 'rejected',
  unauthorized_client: 'rejected',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
}

/** The statuses of a busy server, whatever the body says. */
const BUSY = new Set([408, 425, 429])

/**
 * Reads the response to a token request with a made-up code.
 *
 * @example
 * readTokenResponse({ status: 400, headers: {}, body: encode('{"error":"invalid_grant"}') }).verdict // 'accepted'
 */
export function readTokenResponse(response: GuardedResponse): TokenResponse {
  const { status } = response
  const { error, description, isJson } = readError(response)
  return { verdict: verdictOf(status, error, isJson), status, error, description }
}

function verdictOf(status: number, error: string | undefined, isJson: boolean): TokenResponse['verdict'] {
  if (status >= 500 || BUSY.has(status)) return 'unavailable'
  const verdict = error === undefined ? undefined : VERDICTS[error]
  if (verdict !== undefined) return verdict
  if (status === 401) return 'rejected'
  return isJson && status >= 400 ? 'unclear' : 'unavailable'
}

function readError(response: GuardedResponse): { error: string | undefined; description: string; isJson: boolean } {
  try {
    // Okta returns some errors as `errorCode` and `errorSummary`.
    const { error, errorCode, error_description: description, errorSummary } = readJsonObject(response)
    const code = typeof error === 'string' ? error : errorCode
    const summary = typeof description === 'string' ? description : errorSummary
    return {
      error: typeof code === 'string' && KNOWN_ERRORS.has(code) ? code : undefined,
      description: typeof summary === 'string' ? summary : '',
      isJson: true,
    }
  } catch {
    return { error: undefined, description: '', isJson: false }
  }
}
