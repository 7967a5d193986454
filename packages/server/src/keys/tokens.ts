import { randomUUID } from 'node:crypto'
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import type { Keys } from './keys.js'

const ALGORITHM = 'ES256'

/** The issuer. Not the address of the service, which may change while tokens are in use. */
const ISSUER = 'omen-server'

/** A token that this service signs has about 400 characters. */
const LONGEST_TOKEN = 2_000

export interface TokenClaims {
  readonly audience: string
  readonly subject: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

/**
 * Signs a token with the first signing key. Every token has a random id, so no two are equal.
 *
 * @example
 * await signToken(keys, { audience: 'omen-onboarding', subject: code.id, issuedAt, expiresAt })
 */
export function signToken(keys: Keys, { audience, subject, issuedAt, expiresAt }: TokenClaims): Promise<string> {
  const key = keys.ring().signing[0]!
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: key.id })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .setJti(randomUUID())
    .sign(key.privateKey)
}

/** The subject of a valid token, or why the token is not valid. */
export type Verified = { readonly subject: string } | 'invalid' | 'expired'

/** Verifies a token that this service signed for an audience. Any other string is `invalid`; it never rejects. */
export async function verifyToken(keys: Keys, token: string, audience: string, now: Date): Promise<Verified> {
  if (token.length > LONGEST_TOKEN) return 'invalid'
  try {
    const { kid } = decodeProtectedHeader(token)
    const key = await keys.signingKey(kid)
    if (!key) return 'invalid'
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience,
      requiredClaims: ['sub', 'exp'],
      currentDate: now,
    })
    return { subject: payload.sub! }
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
  }
}
