import { quote } from '@omen/engine/messages'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { FetchFailure } from '../discovery/fetch-failure.js'
import type { RedeemRequest } from './redeem-callback.js'
import { SignInFailure, type SignInFailureCode } from './sign-in-failure.js'

/** Only names in the form of OAuth errors are repeated in messages. */
const ERROR_NAME = /^[a-z_]{1,60}$/

interface Explanation {
  readonly code: SignInFailureCode
  readonly advice: string
}

const ASSIGN = 'Assign the user to the application at the identity provider, and make sure that the user gives consent.'

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
      'Start the sign-in again. If it fails again, check that the redirect URI of the application is exactly the one shown here.',
  },
  redirect_uri_mismatch: {
    code: 'redirect_uri_rejected',
    advice: 'Enter exactly this redirect URI in the application.',
  },
}

const OTHERWISE = 'Check the application at the identity provider and try again.'

/** Turns an error of the library into a failure that says what to change. */
export function explainGrantError(error: unknown, request: RedeemRequest, status: number | undefined): SignInFailure {
  const { provider, client } = request
  if (error instanceof SignInFailure) return error
  if (error instanceof AuthorizationResponseError) return explainResponse(error)
  if (error instanceof ResponseBodyError) return explainTokenError(error, client.redirectUri)
  if (error instanceof WWWAuthenticateChallengeError) {
    return new SignInFailure('client_rejected', `The token endpoint returned status ${error.status}. ${COPY_CLIENT}`)
  }
  const failure = fetchFailureIn(error)
  if (failure !== undefined) {
    return new SignInFailure(
      'provider_unavailable',
      `${quote(provider.tokenEndpoint)} cannot be used: ${failure.message}. Try again in a minute.`,
      { cause: failure },
    )
  }
  if (status === undefined) return explainParameters(request)
  if (status >= 500) return serverError(status)
  if (error instanceof ClientError && /id_token/.test(messageIn(error))) {
    return new SignInFailure(
      'no_id_token',
      'The token endpoint returned no ID token. Make the application an OpenID Connect application with the scope openid.',
    )
  }
  return new SignInFailure(
    'token_answer_unreadable',
    `The response of ${quote(provider.tokenEndpoint)} cannot be used. ${OTHERWISE}`,
  )
}

/** What is wrong with the parameters of the callback. The token endpoint was not called. */
function explainParameters({ provider, expected, query }: RedeemRequest): SignInFailure {
  const states = query.getAll('state')
  if (states.length !== 1 || states[0] !== expected.state) {
    return new SignInFailure('wrong_state', 'The response belongs to another sign-in. Start the sign-in again.')
  }
  const issuers = query.getAll('iss')
  if (issuers.length > 1 || (issuers.length === 0 ? provider.sendsIssuer : issuers[0] !== provider.issuer)) {
    const received = issuers.length === 0 ? 'no issuer' : `the issuer ${issuers.map(quote).join(' and ')}`
    return new SignInFailure(
      'wrong_response_issuer',
      `The identity provider responded with ${received}, but must respond with ${quote(provider.issuer)}. Nothing was sent to it.`,
    )
  }
  return new SignInFailure(
    'no_code',
    'The identity provider responded without a code. Allow the authorization code grant for the application.',
  )
}

function serverError(status: number): SignInFailure {
  return new SignInFailure(
    'provider_unavailable',
    `The token endpoint returned status ${status}. Try again in a minute.`,
  )
}

function explainResponse({ error, error_description: description }: AuthorizationResponseError): SignInFailure {
  const name = ERROR_NAME.test(error) ? error : 'an unknown error'
  const { code, advice } = AUTHORIZATION_ERRORS[error] ?? { code: 'provider_error', advice: OTHERWISE }
  // The description may be shown: the browser carried no secret to the authorization endpoint.
  const says = description ? ` and says ${quote(description)}` : ''
  return new SignInFailure(code, `The identity provider returned ${name}${says}. ${advice}`)
}

/** The description of a token endpoint is not shown: it may repeat the client secret. */
function explainTokenError({ error, status }: ResponseBodyError, redirectUri: string): SignInFailure {
  const known = TOKEN_ERRORS[error]
  const { code, advice } = known ?? { code: 'token_answer_unreadable', advice: OTHERWISE }
  const name = ERROR_NAME.test(error) ? error : 'an unknown error'
  const uri =
    code === 'redirect_uri_rejected' || code === 'code_rejected' ? ` The redirect URI is ${quote(redirectUri)}.` : ''
  return new SignInFailure(code, `The token endpoint returned ${name} (status ${status}).${uri} ${advice}`)
}

/** Turns an error of the userinfo request into a failure. */
export function explainUserinfoError(error: unknown, endpoint: string): SignInFailure {
  if (error instanceof ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return new SignInFailure(
      'wrong_userinfo_subject',
      `${quote(endpoint)} returned another user than the one who signed in. Contact the provider of the identity service.`,
    )
  }
  const reason = fetchFailureIn(error)?.message ?? 'its response cannot be used'
  return new SignInFailure(
    'userinfo_unavailable',
    `The ID token has no email, and ${quote(endpoint)} cannot be used: ${reason}. Add the claim "email" to the ID token, or try again.`,
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
