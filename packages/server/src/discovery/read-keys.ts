import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { quote } from '@omen/engine/messages'
import type { Document } from './guarded-fetch.js'

/** Identity providers publish two or three keys. */
const MOST_KEYS = 100

/** The minimum of RFC 7518, and the maximum of OpenSSL. */
const SMALLEST_RSA = 2048
const LARGEST_RSA = 16_384

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth']

/**
 * Says what is wrong with a key set (RFC 7517) for ID tokens. Nothing, if one of its keys can verify signatures with one of the
 * algorithms and no key contains its private part.
 *
 * @example
 * findKeyProblems({ keys: [] }, ['RS256']) // ['contains no key']
 */
export function findKeyProblems(document: Document, algorithms: readonly string[]): readonly string[] {
  if (!Array.isArray(document.keys)) return [`contains no list of keys: "keys" is ${quote(document.keys)}`]
  const keys = document.keys.slice(0, MOST_KEYS).map(asKey)
  const leaked = keys.filter((key) => isAsymmetric(key) && PRIVATE_MEMBERS.some((member) => key[member] !== undefined))
  if (leaked.length > 0) {
    return leaked.map((key) => `publishes the private part of ${nameOf(key)}; replace that key immediately`)
  }
  const reasons = keys.map((key) => [key, explainKey(key, algorithms)] as const)
  if (reasons.some(([, reason]) => reason === undefined)) return []
  if (keys.length === 0) return ['contains no key']
  const list = reasons.slice(0, 8).map(([key, reason]) => `${nameOf(key)} ${reason}`)
  return [`contains no key that can be used for ${algorithms.join(', ')}: ${list.join(', ')}`]
}

function asKey(value: unknown): Document {
  return typeof value === 'object' && value !== null ? (value as Document) : {}
}

function nameOf({ kid }: Document): string {
  return kid === undefined ? 'a key without an id' : `the key ${quote(kid)}`
}

function isAsymmetric({ kty }: Document): boolean {
  return Object.values(ALGORITHMS).some((kind) => kind.kty === kty)
}

/** Says why a key cannot verify signatures with any of the algorithms; undefined if it can. */
function explainKey(key: Document, algorithms: readonly string[]): string | undefined {
  const { kty, crv, use, alg, key_ops: operations } = key
  if (use !== undefined && use !== 'sig') return `has the use ${quote(use)}`
  if (Array.isArray(operations) && !operations.includes('verify')) return 'is not for the operation "verify"'
  const fitting = algorithms.filter((algorithm) => {
    const kind = ALGORITHMS[algorithm]
    return (
      kind?.kty === kty && (kind?.crv === undefined || kind.crv === crv) && (alg === undefined || alg === algorithm)
    )
  })
  if (fitting.length > 0) return explainMaterial(key)
  if (kty === undefined) return 'has no type'
  const type = [kty, crv, alg].filter((part) => part !== undefined)
  return `is of the type ${type.map(quote).join(' ')}`
}

function explainMaterial(key: Document): string | undefined {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    const bits = asymmetricKeyDetails?.modulusLength
    if (bits === undefined || (bits >= SMALLEST_RSA && bits <= LARGEST_RSA)) return undefined
    return `has ${bits} bits`
  } catch {
    return 'is not a valid key'
  }
}

/** The type of key that an algorithm requires. */
export interface KeyKind {
  readonly kty: string
  readonly crv?: string
}

const RSA: KeyKind = { kty: 'RSA' }
const ED25519: KeyKind = { kty: 'OKP', crv: 'Ed25519' }

/** The allowed signature algorithms of ID tokens: none with a shared secret, and never `none`. */
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
