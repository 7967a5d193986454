import { randomUUID } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import type { SigningKey } from './key-ring.js'
import type { Keys } from './keys.js'
import { createProofs, type Proofs } from './proofs.js'
import { type Sign, signHere } from './signing/sign.js'

const ALGORITHM = 'ES256'
/** Who signs. Not the server's address: that may change while tokens are about. */
const ISSUER = 'omen-server'
/** A token of ours has about 400 characters. */
const LONGEST_TOKEN = 2_000

export interface TokenClaims {
  readonly audience: string
  readonly subject: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

/**
 * Signs a token for an audience with the first signing key. No two tokens are the same.
 *
 * @example
 * await signToken(keys, { audience: 'omen-onboarding', subject: code.id, issuedAt, expiresAt })
 */
export async function signToken(keys: Keys, claims: TokenClaims, sign: Sign = signHere): Promise<string> {
  const key = keys.ring().signing[0]!
  const signed = `${headerOf(key)}.${base64url(payloadOf(claims))}`
  return `${signed}.${await sign(key, signed)}`
}

const headers = new WeakMap<SigningKey, string>()

/** The same for all tokens of a key. */
function headerOf(key: SigningKey): string {
  const known = headers.get(key)
  if (known !== undefined) return known
  const header = base64url(JSON.stringify({ alg: ALGORITHM, typ: 'JWT', kid: key.id }))
  headers.set(key, header)
  return header
}

/** JSON, by hand: written anew for every token, and only two of its values could need an escape. */
const payloadOf = ({ audience, subject, issuedAt, expiresAt }: TokenClaims) =>
  `{"iss":"${ISSUER}","aud":${JSON.stringify(audience)},"sub":${JSON.stringify(subject)},` +
  `"iat":${secondsOf(issuedAt)},"exp":${secondsOf(expiresAt)},"jti":"${randomUUID()}"}`

/** What a token proves: its subject, or why it proves nothing. */
export type Verified = { readonly subject: string } | 'invalid' | 'expired'

/** What was proved is proved as long as its key is one of ours, so each set of keys has its own memory. */
const memory = new WeakMap<Keys, Proofs>()

/**
 * Verifies a token of ours for an audience. Whatever else is given is `invalid`, never an error. A signature that was good once
 * is not computed again; whether its key still counts and its time has not come is looked at each time.
 */
export async function verifyToken(keys: Keys, token: string, audience: string, now: Date): Promise<Verified> {
  if (token.length > LONGEST_TOKEN) return 'invalid'
  const proofs = memory.get(keys) ?? createProofs()
  memory.set(keys, proofs)
  const proof = proofs.find(token)
  if (proof === undefined || proof.audience !== audience) return verifySignature(keys, token, audience, now, proofs)
  if ((await keys.signingKey(proof.keyId)) === undefined) return 'invalid'
  return proof.expiresAt <= secondsOf(now) ? 'expired' : { subject: proof.subject }
}

async function verifySignature(
  keys: Keys,
  token: string,
  audience: string,
  now: Date,
  proofs: Proofs,
): Promise<Verified> {
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
    const subject = payload.sub!
    if (isPlain(payload)) proofs.keep(token, { keyId: key.id, audience, subject, expiresAt: payload.exp! })
    return { subject }
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
  }
}

/** A token with further conditions is none that we make today; it is looked at as a whole each time. */
function isPlain(payload: JWTPayload): boolean {
  return payload.nbf === undefined
}

const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000)

const base64url = (text: string) => Buffer.from(text).toString('base64url')
