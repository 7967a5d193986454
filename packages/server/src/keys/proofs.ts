import { hash } from 'node:crypto'

/** What the good signature of a token proved. */
export interface Proof {
  readonly keyId: string
  readonly audience: string
  readonly subject: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

/** Tokens whose signature was found to be good. */
export interface Proofs {
  find(token: string): Proof | undefined
  keep(token: string, proof: Proof): void
}

/** About 300 bytes each. An administrator has one or two, so this is far more than are onboarded at the same time. */
const MOST = 2_000

/**
 * Remembers tokens by their hash, so that the memory of the process holds no token. Only good signatures are kept, so strangers
 * cannot fill it; when it is full, the one that was used longest ago gives way.
 *
 * @example
 * const proofs = createProofs()
 * proofs.keep(token, { keyId, audience, subject, expiresAt })
 */
export function createProofs(most: number = MOST): Proofs {
  // Invariant: in the order of their last use, so the first one is the one that gives way.
  const proofs = new Map<string, Proof>()
  const put = (key: string, proof: Proof) => {
    proofs.delete(key)
    proofs.set(key, proof)
  }
  return {
    find(token) {
      const key = keyOf(token)
      const proof = proofs.get(key)
      if (proof !== undefined) put(key, proof)
      return proof
    },
    keep(token, proof) {
      put(keyOf(token), proof)
      if (proofs.size <= most) return
      const [oldest] = proofs.keys()
      proofs.delete(oldest!)
    },
  }
}

const keyOf = (token: string) => hash('sha256', token, 'base64url')
