import { quote } from '@omen/engine/messages'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { FetchFailure } from '../discovery/fetch-failure.js'
import type { Arrival } from './redeem-callback.js'
import { type RefusalCode, Refused } from './refusal.js'

/** An error of the protocol, and nothing that could be anything. */
const ERROR_NAME = /^[a-z_]{1,60}$/

interface Explanation {
  readonly code: RefusalCode
  readonly advice: string
}

const ASSIGN = 'Assign the user to the application at the identity provider, and let the user agree when asked.'

/** Errors of the authorization endpoint (RFC 6749, OpenID Connect). */
const AUTHORIZATION_ERRORS: Readonly<Record<string, Explanation>> = {
  access_denied: { code: 'access_denied', advice: ASSIGN },
  unauthorized_client: {
    code: 'provider_error',
    advice: 'Allow the authorization code grant for the application at the identity provider.',
  },
  unsupported_response_type: {
    code: 'provider_error',
    advice: 'Allow the authorization code grant for the application at the identity provider.',
  },
  invalid_scope: {
    code: 'provider_error',
    advice: 'Allow the scopes openid, email, profile and offline_access for the application at the identity provider.',
  },
  server_error: { code: 'provider_unavailable', advice: 'Try again in a minute.' },
  temporarily_unavailable: { code: 'provider_unavailable', advice: 'Try again in a minute.' },
}

const COPY_CLIENT = 'Copy the client ID and the client secret again from the application at the identity provider.'

/** Errors of the token endpoint. */
const TOKEN_ERRORS: Readonly<Record<string, Explanation>> = {
  invalid_client: { code: 'client_rejected', advice: COPY_CLIENT },
  unauthorized_client: {
    code: 'client_rejected',
    advice: `${COPY_CLIENT} Check that the authorization code grant is allowed.`,
  },
  invalid_grant: {
    code: 'code_rejected',
    advice:
      'Sign in again from the beginning. If it stays, check that the redirect URI of the application is exactly the one of this set-up.',
  },
  redirect_uri_mismatch: { code: 'redirect_uri_rejected', advice: 'Enter it at the application exactly like this.' },
}

const OTHERWISE = 'Check the application at the identity provider and try again.'

/** Turns what the library threw while a callback was redeemed into a refusal that says what to change. */
export function explainGrantError(error: unknown, arrival: Arrival, status: number | undefined): Refused {
  const { provider, client } = arrival
  if (error instanceof Refused) return error
  if (error instanceof AuthorizationResponseError) return explainResponse(error)
  if (error instanceof ResponseBodyError) return explainTokenError(error, client.redirectUri)
  if (error instanceof WWWAuthenticateChallengeError) {
    return new Refused('client_rejected', `The token endpoint answers with status ${error.status}. ${COPY_CLIENT}`)
  }
  const failure = fetchFailureIn(error)
  if (failure !== undefined) {
    return new Refused(
      'provider_unavailable',
      `${quote(provider.tokenEndpoint)} cannot be used: ${failure.message}. Try again in a minute.`,
      { cause: failure },
    )
  }
  if (status === undefined) return explainParameters(arrival)
  if (status >= 500) return outOfOrder(status)
  if (error instanceof ClientError && /id_token/.test(messageIn(error))) {
    return new Refused(
      'no_id_token',
      'The token endpoint gives no ID token. Make the application one of OpenID Connect, with the scope openid.',
    )
  }
  return new Refused(
    'token_answer_unreadable',
    `The answer of ${quote(provider.tokenEndpoint)} cannot be used. ${OTHERWISE}`,
  )
}

/** What was wrong with the way in which the browser came back: nothing was asked of the token endpoint. */
function explainParameters({ provider, expected, query }: Arrival): Refused {
  const states = query.getAll('state')
  if (states.length !== 1 || states[0] !== expected.state) {
    return new Refused('wrong_state', 'The answer belongs to another sign-in. Sign in again from the beginning.')
  }
  const issuers = query.getAll('iss')
  if (issuers.length > 1 || (issuers.length === 0 ? provider.sendsIssuer : issuers[0] !== provider.issuer)) {
    const received = issuers.length === 0 ? 'no issuer' : `the issuer ${issuers.map(quote).join(' and ')}`
    return new Refused(
      'wrong_response_issuer',
      `The identity provider came back with ${received}, and must come back with ${quote(provider.issuer)}. Nothing was sent to it.`,
    )
  }
  return new Refused(
    'no_code',
    'The identity provider came back without a code. Allow the authorization code grant for the application.',
  )
}

function outOfOrder(status: number): Refused {
  return new Refused('provider_unavailable', `The token endpoint answers with status ${status}. Try again in a minute.`)
}

function explainResponse({ error, error_description: description }: AuthorizationResponseError): Refused {
  const name = ERROR_NAME.test(error) ? error : 'an unknown error'
  const { code, advice } = AUTHORIZATION_ERRORS[error] ?? { code: 'provider_error', advice: OTHERWISE }
  // Here the words may be told: nothing secret was sent along with the browser.
  const words = description ? ` and says ${quote(description)}` : ''
  return new Refused(code, `The identity provider answers with ${name}${words}. ${advice}`)
}

/** The words of a token endpoint are not told: they may repeat the secret that it was sent. */
function explainTokenError({ error, status }: ResponseBodyError, redirectUri: string): Refused {
  const known = TOKEN_ERRORS[error]
  const { code, advice } = known ?? { code: 'token_answer_unreadable', advice: OTHERWISE }
  const name = ERROR_NAME.test(error) ? error : 'an unknown error'
  const uri =
    code === 'redirect_uri_rejected' || code === 'code_rejected' ? ` The redirect URI is ${quote(redirectUri)}.` : ''
  return new Refused(code, `The token endpoint answers with ${name} (status ${status}).${uri} ${advice}`)
}

/** Turns what the library threw about userinfo into a refusal. */
export function explainUserinfoError(error: unknown, endpoint: string): Refused {
  if (error instanceof ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return new Refused(
      'wrong_userinfo_subject',
      `${quote(endpoint)} answers about another user than the one who signed in. Tell whoever runs the identity provider.`,
    )
  }
  const reason = fetchFailureIn(error)?.message ?? 'its answer cannot be used'
  return new Refused(
    'userinfo_unavailable',
    `The ID token has no email, and ${quote(endpoint)} cannot be used: ${reason}. Put the claim "email" into the ID token, or try again.`,
  )
}

function fetchFailureIn(error: unknown): FetchFailure | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 4; inner = inner.cause, depth++) {
    if (inner instanceof FetchFailure) return inner
  }
  return undefined
}

function messageIn(error: Error): string {
  return `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
}
