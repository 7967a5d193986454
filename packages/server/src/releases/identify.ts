import type { Clock } from '../clock.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { type AccessToken, findAccessTokenByHash, noteTokenUse } from '../store/organizations/access-tokens.js'
import type { Viewer } from './releases.js'
import { hashToken, isToken, SCOPES } from './token.js'

/** One text for what is unknown, mistyped and revoked: it says nothing about which tokens there are. */
const INVALID =
  'This token is mistyped or was revoked. Ask your administrator or the operator for a new one, or send none for what is public.'

/** Use is noted when the last note is older than this: a write for each request would cost more than the request. */
const NOTE_MS = 60_000

/** Whose token this is. Rejects when nobody issued it, when it was revoked, or when its day has come. */
export async function identify(database: Queries, clock: Clock, token: string): Promise<Viewer> {
  const found = isToken(token) ? await findAccessTokenByHash(database, hashToken(token)) : undefined
  if (found === undefined || found.revokedAt) throw new Problem('invalid_token', INVALID)
  const now = clock()
  if (hasExpired(found.expiresAt, now)) {
    throw new Problem(
      'token_expired',
      `This token could be used before ${shownEnd(found.expiresAt!)} (UTC). Ask your administrator or the operator for a new one.`,
    )
  }
  await noteUse(database, found, now)
  return {
    organizationId: found.organizationId,
    organization: found.organization,
    tokenId: found.id,
    scopes: SCOPES.filter((scope) => found.scopes.includes(scope)),
  }
}

async function noteUse(database: Queries, { id, lastUsedAt }: AccessToken, now: Date): Promise<void> {
  const passed = lastUsedAt === undefined ? Number.NaN : now.getTime() - lastUsedAt.getTime()
  // A note from the future was made before the clock was set back.
  if (passed >= 0 && passed < NOTE_MS) return
  await noteTokenUse(database, id, now, new Date(now.getTime() - NOTE_MS))
}

export function hasExpired(expiresAt: Date | undefined, now: Date): boolean {
  return expiresAt !== undefined && now >= expiresAt
}

/**
 * The end of a token, in UTC: a day where it ends with the beginning of one, as those of the operator do.
 *
 * @example
 * shownEnd(new Date('2030-12-31T00:00:00Z')) // '2030-12-31'
 */
export function shownEnd(expiresAt: Date): string {
  return expiresAt.toISOString().replace(/T00:00:00\.000Z$/, '')
}
