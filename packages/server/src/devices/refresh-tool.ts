import { recordAudit } from '../audit/audit.js'
import type { Caller } from '../onboarding/onboarding.js'
import { callerDetail } from '../onboarding/parts.js'
import { userActor } from '../sessions/parts.js'
import type { Person } from '../sessions/sessions.js'
import { hashText } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import {
  deleteTool,
  findToolPerson,
  type LockedToolLogin,
  lockToolByRefresh,
  lockToolByToken,
  renewTool,
} from '../store/tool-logins.js'
import type { TokenAnswer, TokenError } from './devices.js'
import type { DevicesParts } from './request-device.js'
import { isAccessToken, isRefreshToken, makeTokens } from './tokens.js'

/** An answer that got lost on its way may be asked for again this soon; later, a used token is a stolen one. */
const GRACE_MS = 60_000

/** The next pair of tokens. A refresh token is good once: one that was used before ends the tool, whoever sends it. */
export async function refreshTool(
  { database, clock }: DevicesParts,
  refreshToken: string,
  caller: Caller,
): Promise<TokenAnswer | TokenError> {
  if (!isRefreshToken(refreshToken)) return 'invalid_grant'
  const hash = hashText(refreshToken)
  return database.transaction(async (queries) => {
    const tool = await lockToolByRefresh(queries, hash)
    const now = clock()
    if (!tool || now >= tool.expiresAt) return 'invalid_grant'
    const isSpent = tool.refreshHash !== hash
    if (isSpent && now.getTime() - tool.renewedAt.getTime() >= GRACE_MS) {
      await endTool(queries, tool, { reason: 'refresh_token_used_twice', caller, now })
      return 'invalid_grant'
    }
    const { answer, hashes } = makeTokens(now)
    await renewTool(queries, tool.id, { tokens: hashes, spentHash: hash, now })
    return answer
  })
}

/** A tool signs itself out (RFC 7009). */
export async function revokeTool({ database, clock }: DevicesParts, token: string, caller: Caller): Promise<void> {
  if (!isAccessToken(token) && !isRefreshToken(token)) return
  await database.transaction(async (queries) => {
    const tool = await lockToolByToken(queries, hashText(token))
    if (tool) await endTool(queries, tool, { reason: 'signed_out', caller, now: clock() })
  })
}

async function endTool(
  queries: Queries,
  { id, userId, email, organization }: LockedToolLogin,
  { reason, caller, now }: { readonly reason: string; readonly caller: Caller; readonly now: Date },
): Promise<void> {
  await deleteTool(queries, id)
  await recordAudit(queries, {
    at: now,
    actor: userActor(userId),
    action: 'device.ended',
    org: organization,
    detail: { session: id, email, reason, ...callerDetail(caller) },
  })
}

/** Whose access token it is. */
export async function readTool(
  { database, clock }: DevicesParts,
  accessToken: string,
): Promise<Person | 'expired' | undefined> {
  if (!isAccessToken(accessToken)) return undefined
  const found = await findToolPerson(database, hashText(accessToken))
  if (!found) return undefined
  const now = clock()
  if (now >= found.accessExpiresAt || now >= found.expiresAt) return 'expired'
  const { id, displayName, accessExpiresAt: _, expiresAt: __, ...person } = found
  const domain = person.email.slice(person.email.lastIndexOf('@') + 1)
  return { ...person, kind: 'tool', sessionId: id, org: { name: displayName, domain } }
}
