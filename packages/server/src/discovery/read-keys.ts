import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { quote } from '@omen/engine/messages'
import { ALGORITHMS } from './algorithms.js'
import type { Document } from './read-json.js'

/** Identity providers publish two or three keys. */
const MOST_KEYS = 100

/** What RFC 7518 asks for at least, and what OpenSSL computes with at most. */
const SMALLEST_RSA = 2048
const LARGEST_RSA = 16_384

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth']

/**
 * Says what is wrong with a key set (RFC 7517) as the source of keys for ID tokens: nothing when one of its keys can check
 * signatures by one of the algorithms, and none gives its private part away.
 *
 * @example
 * findKeyProblems({ keys: [] }, ['RS256']) // ['holds no key']
 */
export function findKeyProblems(document: Document, algorithms: readonly string[]): readonly string[] {
  if (!Array.isArray(document.keys)) return [`holds no list of keys: "keys" is ${quote(document.keys)}`]
  const keys = document.keys.slice(0, MOST_KEYS).map(asKey)
  const leaked = keys.filter((key) => isAsymmetric(key) && PRIVATE_MEMBERS.some((member) => key[member] !== undefined))
  if (leaked.length > 0) {
    return leaked.map((key) => `publishes the private part of ${nameOf(key)}; replace that key at once`)
  }
  const reasons = keys.map((key) => [key, explainKey(key, algorithms)] as const)
  if (reasons.some(([, reason]) => reason === undefined)) return []
  if (keys.length === 0) return ['holds no key']
  const list = reasons.slice(0, 8).map(([key, reason]) => `${nameOf(key)} ${reason}`)
  return [`holds no key that can be used for ${algorithms.join(', ')}: ${list.join(', ')}`]
}

function asKey(value: unknown): Document {
  return typeof value === 'object' && value !== null ? (value as Document) : {}
}

function nameOf({ kid }: Document): string {
  return kid === undefined ? 'a key without a name' : `the key ${quote(kid)}`
}

function isAsymmetric({ kty }: Document): boolean {
  return Object.values(ALGORITHMS).some((kind) => kind.kty === kty)
}

/** Says why a key cannot check signatures by any of the algorithms; nothing when it can. */
function explainKey(key: Document, algorithms: readonly string[]): string | undefined {
  const { kty, crv, use, alg, key_ops: operations } = key
  if (use !== undefined && use !== 'sig') return `has the use ${quote(use)}`
  if (Array.isArray(operations) && !operations.includes('verify')) return 'is not for "verify"'
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
    return 'is broken'
  }
}
