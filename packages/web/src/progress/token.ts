export interface TokenFacts {
  /** The code's record, by which two tabs know that they are about the same set-up. */
  readonly subject: string
  /** When the token ends, in milliseconds. */
  readonly expiresAt: number
}

/**
 * Reads what the page shows of an onboarding token. Its signature is the service's business; an unreadable one gives
 * `undefined`, and the service will say so.
 *
 * @example
 * readToken(token)?.expiresAt // 1798761600000
 */
export function readToken(token: string): TokenFacts | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof claims !== 'object' || claims === null || !('exp' in claims) || !('sub' in claims)) return undefined
    const { exp, sub } = claims
    return typeof exp === 'number' && Number.isFinite(exp) && typeof sub === 'string'
      ? { subject: sub, expiresAt: exp * 1000 }
      : undefined
  } catch {
    return undefined
  }
}
