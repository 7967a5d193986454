import { quote } from '@omen/engine/messages'
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { FetchFailure } from '../discovery/fetch-failure.js'
import type { Provider } from '../discovery/provider.js'
import type { KeySets } from './key-sets.js'
import { SignInFailure } from './sign-in-failure.js'

/** How much the clocks of two machines may differ. */
export const CLOCK_TOLERANCE_SECONDS = 60

/** How many keys are tried for a token without a key id. */
const MOST_TRIES = 8

export interface IdTokenExpectation {
  readonly provider: Pick<Provider, 'issuer' | 'jwksUri' | 'signingAlgorithms'>
  readonly clientId: string
  /** Undefined for a token from a refresh, which has no authorization. */
  readonly nonce: string | undefined
}

/**
 * Verifies an ID token, however it was received: signature with a published key and algorithm, issuer, audience, nonce and
 * times. Gives its claims; throws a `SignInFailure` otherwise.
 *
 * @example
 * const { sub } = await verifyIdToken(idToken, { provider, clientId, nonce }, { keySets, now: new Date() })
 */
export async function verifyIdToken(
  idToken: string,
  { provider, clientId, nonce }: IdTokenExpectation,
  { keySets, now }: { readonly keySets: KeySets; readonly now: Date },
): Promise<JWTPayload & { readonly sub: string }> {
  const options: JWTVerifyOptions = {
    algorithms: [...provider.signingAlgorithms],
    issuer: provider.issuer,
    audience: clientId,
    requiredClaims: ['iss', 'aud', 'sub', 'iat', 'exp', ...(nonce === undefined ? [] : ['nonce'])],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: now,
  }
  const claims = await verifyWithAnyKey(idToken, keySets, provider, options)
  if (nonce !== undefined && claims.nonce !== nonce) {
    throw new SignInFailure('wrong_nonce', 'The ID token has the nonce of another sign-in. Start the sign-in again.')
  }
  checkParties(claims, clientId)
  if (typeof claims.sub !== 'string' || claims.sub === '') {
    throw new SignInFailure(
      'claim_missing',
      'The ID token has no subject: "sub" must be a string that identifies the user.',
    )
  }
  return claims as JWTPayload & { readonly sub: string }
}

/** A token for several audiences must name this client in `azp`. */
function checkParties({ aud, azp }: JWTPayload, clientId: string): void {
  const hasSeveralAudiences = Array.isArray(aud) && aud.length > 1
  if (azp === clientId || (azp === undefined && !hasSeveralAudiences)) return
  throw new SignInFailure(
    'wrong_audience',
    `The ID token was issued to another application: "azp" is ${quote(azp)}, but the client ID is ${quote(clientId)}.`,
  )
}

/** Verifies signature and claims with the matching published key. Throws a `SignInFailure`. */
export async function verifyWithAnyKey(
  idToken: string,
  keySets: KeySets,
  { jwksUri }: Pick<Provider, 'jwksUri'>,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(idToken, keySets.at(jwksUri), options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw explain(error, idToken, jwksUri, options)
    return verifyWithEach(error, idToken, jwksUri, options)
  }
}

/** The token names no key, and several keys match. */
async function verifyWithEach(
  keys: errors.JWKSMultipleMatchingKeys,
  idToken: string,
  jwksUri: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let tries = 0
  for await (const key of keys) {
    tries += 1
    if (tries > MOST_TRIES) break
    try {
      return (await jwtVerify(idToken, key, options)).payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw explain(error, idToken, jwksUri, options)
    }
  }
  throw explain(new errors.JWSSignatureVerificationFailed(), idToken, jwksUri, options)
}

const KEYS_ADVICE = 'Check that the well-known URL belongs to the identity provider that signs.'

function explain(error: unknown, idToken: string, jwksUri: string, options: JWTVerifyOptions): SignInFailure {
  if (error instanceof errors.JWTExpired) {
    return new SignInFailure(
      'token_expired',
      'The ID token has already expired. Check the clock of the identity provider.',
      {
        cause: error,
      },
    )
  }
  if (error instanceof errors.JWTClaimValidationFailed) return explainClaim(error, options)
  if (error instanceof errors.JOSEAlgNotAllowed) {
    const reason = `The ID token is signed with ${quote(algorithmOf(idToken))}, but the published algorithms are ${options.algorithms!.join(', ')}.`
    return new SignInFailure('wrong_algorithm', `${reason} Select one of these for the application.`, { cause: error })
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return new SignInFailure(
      'unknown_key',
      `The ID token is signed with a key that is not published at ${quote(jwksUri)}. ${KEYS_ADVICE}`,
      { cause: error },
    )
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return new SignInFailure(
      'bad_signature',
      `The signature of the ID token does not match the keys at ${quote(jwksUri)}. ${KEYS_ADVICE}`,
      { cause: error },
    )
  }
  if (error instanceof FetchFailure) {
    return new SignInFailure(
      'keys_unavailable',
      `The keys at ${quote(jwksUri)} cannot be fetched: ${error.message}. Try again.`,
      { cause: error },
    )
  }
  return new SignInFailure(
    'id_token_unreadable',
    'The ID token cannot be read. Encrypted ID tokens are not supported: turn encryption off for the application.',
    { cause: error },
  )
}

function explainClaim(
  { claim, reason, payload }: errors.JWTClaimValidationFailed,
  options: JWTVerifyOptions,
): SignInFailure {
  const received = claim === 'aud' && Array.isArray(payload.aud) ? payload.aud.join(' ') : payload[claim]
  if (reason === 'missing')
    return new SignInFailure('claim_missing', `The ID token has no ${quote(claim)}, which is required.`)
  if (claim === 'iss') {
    return new SignInFailure(
      'wrong_issuer',
      `The ID token was issued by ${quote(received)}, but the published issuer is ${quote(options.issuer)}. Use the well-known URL of the issuer that signs.`,
    )
  }
  if (claim === 'aud') {
    return new SignInFailure(
      'wrong_audience',
      `The ID token is for ${quote(received)}, but the client ID is ${quote(options.audience)}.`,
    )
  }
  if (claim === 'nbf') {
    return new SignInFailure(
      'token_not_yet_valid',
      'The ID token is not valid yet: "nbf" is in the future. Check the clock of the identity provider.',
    )
  }
  return new SignInFailure('id_token_unreadable', `The ID token has an invalid ${quote(claim)}.`)
}

function algorithmOf(idToken: string): unknown {
  try {
    const header: unknown = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString())
    return (header as { readonly alg?: unknown } | null)?.alg
  } catch {
    return undefined
  }
}
