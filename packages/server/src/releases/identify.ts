import type { Clock } from '../clock.js'
import { Problem } from '../problem.js'
import { findAccessTokenByHash } from '../store/access-tokens.js'
import type { Queries } from '../store/database.js'
import type { Viewer } from './releases.js'
import { hashToken, isToken, SCOPES } from './token.js'

/** One text for what is unknown, mistyped and revoked: it says nothing about which tokens there are. */
const INVALID =
  'This token is mistyped or was revoked. Ask the operator for a new one, or send none for what is public.'

/** Whose token this is. Rejects when nobody issued it, when it was revoked, or when its day has come. */
export async function identify(database: Queries, clock: Clock, token: string): Promise<Viewer> {
  const found = isToken(token) ? await findAccessTokenByHash(database, hashToken(token)) : undefined
  if (found === undefined || found.revokedAt) throw new Problem('invalid_token', INVALID)
  if (hasExpired(found.expiresOn, clock())) {
    throw new Problem(
      'token_expired',
      `This token could be used before ${found.expiresOn} (UTC). Ask the operator for a new one.`,
    )
  }
  return {
    organizationId: found.organizationId,
    organization: found.organization,
    tokenId: found.id,
    scopes: SCOPES.filter((scope) => found.scopes.includes(scope)),
  }
}

/** As a code does, a token works until its day begins. */
export function hasExpired(expiresOn: string | undefined, now: Date): boolean {
  return expiresOn !== undefined && now.toISOString().slice(0, 10) >= expiresOn
}
