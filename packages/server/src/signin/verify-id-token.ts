import { quote } from '@omen/engine/messages'
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { FetchFailure } from '../discovery/fetch-failure.js'
import type { Provider } from '../discovery/provider.js'
import type { KeySets } from './key-sets.js'
import { Refused } from './refusal.js'

/** What the clocks of two machines may differ by. */
export const CLOCK_TOLERANCE_SECONDS = 60

/** A token without a key id is tried with this many keys of its kind. */
const MOST_TRIES = 8

export interface IdTokenExpectation {
  readonly provider: Pick<Provider, 'issuer' | 'jwksUri' | 'signingAlgorithms'>
  readonly clientId: string
  /** Undefined for a token that came with a refresh: it belongs to no authorization. */
  readonly nonce: string | undefined
}

/**
 * Verifies an ID token by itself, as if it came from anywhere: signed by a published key with a published algorithm, for this
 * client, by this issuer, for this sign-in, now. Gives its claims; throws a `Refused` otherwise.
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
    throw new Refused('wrong_nonce', 'The ID token has the nonce of another sign-in. Sign in again from the beginning.')
  }
  checkParties(claims, clientId)
  if (typeof claims.sub !== 'string' || claims.sub === '') {
    throw new Refused('claim_missing', 'The ID token has no subject: "sub" must be a text that names the user.')
  }
  return claims as JWTPayload & { readonly sub: string }
}

/** Others may be meant too only if the token says that it was issued to us. */
function checkParties({ aud, azp }: JWTPayload, clientId: string): void {
  const isForOthersToo = Array.isArray(aud) && aud.length > 1
  if (azp === clientId || (azp === undefined && !isForOthersToo)) return
  throw new Refused(
    'wrong_audience',
    `The ID token was issued to another application: "azp" is ${quote(azp)}, and the client ID is ${quote(clientId)}.`,
  )
}

/** Verifies signature and claims with the published keys, whichever fits. Throws a `Refused`. */
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

/** The token names no key, and several could be meant. */
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

const KEYS_ADVICE = 'Check that the well-known URL belongs to the provider that signs.'

function explain(error: unknown, idToken: string, jwksUri: string, options: JWTVerifyOptions): Refused {
  if (error instanceof errors.JWTExpired) {
    return new Refused('token_expired', 'The ID token has expired already. Check the clock of the identity provider.', {
      cause: error,
    })
  }
  if (error instanceof errors.JWTClaimValidationFailed) return explainClaim(error, options)
  if (error instanceof errors.JOSEAlgNotAllowed) {
    const words = `The ID token is signed with ${quote(algorithmOf(idToken))}, and the published algorithms are ${options.algorithms!.join(', ')}.`
    return new Refused('wrong_algorithm', `${words} Set one of these for the application.`, { cause: error })
  }
  if (error instanceof errors.JWKSNoMatchingKey) {
    return new Refused(
      'unknown_key',
      `The ID token is signed by a key that is not at ${quote(jwksUri)}. ${KEYS_ADVICE}`,
      { cause: error },
    )
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return new Refused(
      'bad_signature',
      `The signature of the ID token is not by a key at ${quote(jwksUri)}. ${KEYS_ADVICE}`,
      { cause: error },
    )
  }
  if (error instanceof FetchFailure) {
    return new Refused(
      'keys_unavailable',
      `The keys at ${quote(jwksUri)} cannot be read: ${error.message}. Try again.`,
      { cause: error },
    )
  }
  return new Refused(
    'id_token_unreadable',
    'The ID token cannot be read. Encrypted ID tokens are not supported: switch that off for the application.',
    { cause: error },
  )
}

function explainClaim({ claim, reason, payload }: errors.JWTClaimValidationFailed, options: JWTVerifyOptions): Refused {
  const received = claim === 'aud' && Array.isArray(payload.aud) ? payload.aud.join(' ') : payload[claim]
  if (reason === 'missing')
    return new Refused('claim_missing', `The ID token has no ${quote(claim)}, which every ID token must have.`)
  if (claim === 'iss') {
    return new Refused(
      'wrong_issuer',
      `The ID token is by the issuer ${quote(received)}, and the published one is ${quote(options.issuer)}. Use the well-known URL of the issuer that signs.`,
    )
  }
  if (claim === 'aud') {
    return new Refused(
      'wrong_audience',
      `The ID token is for ${quote(received)}, and the client ID is ${quote(options.audience)}.`,
    )
  }
  if (claim === 'nbf') {
    return new Refused(
      'token_not_yet_valid',
      'The ID token is not valid yet: "nbf" lies in the future. Check the clock of the identity provider.',
    )
  }
  return new Refused('id_token_unreadable', `The ID token has a ${quote(claim)} that cannot be understood.`)
}

function algorithmOf(idToken: string): unknown {
  try {
    const header: unknown = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString())
    return (header as { readonly alg?: unknown } | null)?.alg
  } catch {
    return undefined
  }
}
