import { quote } from '@omen/engine/messages'
import { Problem } from '../problem.js'
import { adviseRejected, adviseUnclear, findSlips } from './client-advice.js'
import { FetchFailure, type FetchFailureKind } from './fetch-failure.js'
import type { GuardedAnswer, GuardedFetch, GuardedRequest } from './guarded-fetch.js'
import type { ClientAuthMethod, ClientCredentials, Provider } from './provider.js'
import { readTokenAnswer, type TokenAnswer } from './token-answer.js'

/** No provider gives out such a code. It says in the provider's log what it was. */
const MADE_UP_CODE = 'omen-connection-check'

/** Of the length that RFC 7636 asks for: clients that must use PKCE are otherwise told about that and not about the code. */
const MADE_UP_VERIFIER = 'omen-connection-check-'.padEnd(64, '0')

const TRY_AGAIN = 'Try again in a minute.'

/** What does not pass by itself. */
const ADVICE: Partial<Record<FetchFailureKind, string>> = {
  refused: 'Check the token_endpoint that the identity provider publishes.',
  redirected: 'Check the token_endpoint that the identity provider publishes.',
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** How the methods carry the client's id and secret (RFC 6749, section 2.3.1). */
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
 * Tries a client at the token endpoint with a code that does not exist: a provider that complains of the code has accepted the
 * client. Gives the method of authentication that worked, and rejects with a `Problem` of code `client_rejected` or
 * `idp_unavailable`, in which neither the secret nor the provider's own words appear.
 *
 * @example
 * await checkClient(provider, { clientId, clientSecret, redirectUri }, guarded) // 'client_secret_basic'
 */
export async function checkClient(
  provider: Provider,
  client: ClientCredentials,
  guarded: GuardedFetch,
): Promise<ClientAuthMethod> {
  const answers: TokenAnswer[] = []
  for (const method of provider.clientAuthMethods) {
    const answer = await tryMethod(method, provider, client, guarded)
    if (answer.verdict === 'accepted') return method
    answers.push(answer)
  }
  const rejected = answers.find(({ verdict }) => verdict === 'rejected')
  throw rejected === undefined ? describeUnclear(provider, answers) : describeRejected(client, rejected)
}

/**
 * The `Authorization` header of `client_secret_basic`. Both parts are form-encoded first, as the standard asks; letters that
 * need no encoding are left alone, because some providers forget to decode.
 *
 * @example
 * basicAuthorization('a', 'b:c') // 'Basic ' + btoa('a:b%3Ac')
 */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString('base64')}`
}

function formEncode(text: string): string {
  // Half of a surrogate pair, which cannot be encoded, becomes a replacement character.
  return encodeURIComponent(Buffer.from(text).toString())
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
): Promise<TokenAnswer> {
  try {
    const answer = await guarded.fetch(tokenEndpoint, { method: 'POST', ...AUTHENTICATE[method](client) })
    const read = readTokenAnswer(answer)
    if (read.verdict === 'unavailable')
      throw unavailable(tokenEndpoint, `it answers with ${describe(read)}`, { answer })
    return read
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw unavailable(tokenEndpoint, error.message, { cause: error, advice: ADVICE[error.kind] ?? TRY_AGAIN })
  }
}

function describeRejected(client: ClientCredentials, answer: TokenAnswer): Problem {
  const { fields, text } = adviseRejected(answer)
  const slips = findSlips(client)
  const errors = [...slips, ...fields.map((field) => ({ field, message: text }))]
  const hint = slips.map(({ field, message }) => ` ${field}: ${message}`).join('')
  return new Problem('client_rejected', `The identity provider answers with ${describe(answer)}. ${text}${hint}`, {
    errors,
  })
}

function describeUnclear({ tokenEndpoint }: Provider, answers: readonly TokenAnswer[]): Problem {
  const [answer] = answers
  if (answer === undefined) return unavailable(tokenEndpoint, 'it offers no method that is known here', {})
  return unavailable(tokenEndpoint, `it answers with ${describe(answer)}`, { advice: adviseUnclear(answer) })
}

function describe({ status, error }: TokenAnswer): string {
  return error === undefined ? `status ${status}` : `${quote(error)} (status ${status})`
}

interface UnavailableOptions extends ErrorOptions {
  readonly advice?: string
  readonly answer?: GuardedAnswer
}

function unavailable(tokenEndpoint: string, reason: string, options: UnavailableOptions): Problem {
  const { advice = TRY_AGAIN, answer, ...rest } = options
  const retryAfter = readRetryAfter(answer?.headers['retry-after'])
  const detail = `The client could not be checked at ${quote(tokenEndpoint)}: ${reason}. Nothing was changed. ${advice}`
  return new Problem('idp_unavailable', detail, { ...rest, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

/** Passed on when it is a number of seconds, up to an hour. */
function readRetryAfter(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Math.min(Number(value), 3600) : undefined
}
