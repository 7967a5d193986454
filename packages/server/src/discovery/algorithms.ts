/** The kind of key that an algorithm needs. */
export interface KeyKind {
  readonly kty: string
  readonly crv?: string
}

const RSA: KeyKind = { kty: 'RSA' }
const ED25519: KeyKind = { kty: 'OKP', crv: 'Ed25519' }

/** The algorithms that an ID token may be signed with. None with a shared secret, and never `none`. */
export const ALGORITHMS: Readonly<Record<string, KeyKind>> = {
  RS256: RSA,
  RS384: RSA,
  RS512: RSA,
  PS256: RSA,
  PS384: RSA,
  PS512: RSA,
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: ED25519,
  Ed25519: ED25519,
}
