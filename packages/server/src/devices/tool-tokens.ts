import { randomUUID } from 'node:crypto'
import { type Requester, recordAudit, requesterDetail, userActor } from '../audit/audit.js'
import { after } from '../clock.js'
import type { User } from '../sessions/sessions.js'
import { hashString, isRandomString, randomString } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import { findUser } from '../store/organizations/users.js'
import { type DeviceRequest, deleteDevice, lockDevice, recordPoll } from '../store/sessions/device-requests.js'
import {
  deleteTool,
  findToolUser,
  insertToolLogin,
  type LockedToolLogin,
  lockToolByRefresh,
  lockToolByToken,
  renewTool,
  type ToolTokens,
} from '../store/sessions/tool-logins.js'
import type { DevicesDeps, TokenError, TokenResponse } from './devices.js'

/** A tool must be signed in again after this time, even if it renews its tokens. */
const TOOL_MS = 30 * 24 * 3600_000

/** Added to the interval of a tool that polls too fast (RFC 8628, section 3.5). */
const SLOW_DOWN_SECONDS = 5
const LONGEST_PAUSE = 3600

/** A used refresh token is accepted again for this time, because a response can get lost; later it counts as stolen. */
const GRACE_MS = 60_000

/** Short, because a stolen access token cannot be detected. */
export const ACCESS_SECONDS = 3600

const ACCESS = 'omen_at_'
const REFRESH = 'omen_rt_'

/** A tool fetches its tokens with the device code. They are issued once, after a user has approved the tool. */
export async function exchangeDevice(
  { database, clock }: DevicesDeps,
  deviceCode: string,
  requester: Requester,
): Promise<TokenResponse | TokenError> {
  if (!isRandomString(deviceCode)) return 'invalid_grant'
  return database.transaction(async (queries) => {
    const request = await lockDevice(queries, hashString(deviceCode))
    const now = clock()
    if (!request) return 'invalid_grant'
    if (now >= request.expiresAt) return 'expired_token'
    if (request.status === 'approved') return issueTokens(queries, request, requester, now)
    if (request.status === 'denied') {
      await deleteDevice(queries, request.deviceHash)
      return 'access_denied'
    }
    const isTooFast = isWithin(request.polledAt, request.pauseSeconds, now)
    const pauseSeconds = Math.min(request.pauseSeconds + (isTooFast ? SLOW_DOWN_SECONDS : 0), LONGEST_PAUSE)
    await recordPoll(queries, request.deviceHash, { polledAt: now, pauseSeconds })
    return isTooFast ? 'slow_down' : 'authorization_pending'
  })
}

async function issueTokens(
  queries: Queries,
  request: DeviceRequest,
  requester: Requester,
  now: Date,
): Promise<TokenResponse> {
  const { deviceHash, userId = '', address, agent } = request
  await deleteDevice(queries, deviceHash)
  const { response, hashes } = makeTokens(now)
  const id = randomUUID()
  const expiresAt = after(now, TOOL_MS)
  await insertToolLogin(queries, { id, userId, ...hashes, address, agent, createdAt: now, expiresAt })
  const user = await findUser(queries, userId)
  await recordAudit(queries, {
    at: now,
    actor: userActor(userId),
    action: 'device.signed_in',
    ...(user && { org: user.organization }),
    detail: { session: id, ...(user && { email: user.email }), ...requesterDetail(requester) },
  })
  return response
}

/** A time in the future was recorded before the clock was set back: it is ignored. */
function isWithin(time: Date | undefined, seconds: number, now: Date): boolean {
  if (time === undefined) return false
  const passed = now.getTime() - time.getTime()
  return passed >= 0 && passed < seconds * 1000
}

/** Issues the next pair of tokens. A refresh token works once: if it is used again after the grace time, the tool is signed out. */
export async function refreshTool(
  { database, clock }: DevicesDeps,
  refreshToken: string,
  requester: Requester,
): Promise<TokenResponse | TokenError> {
  if (!isRefreshToken(refreshToken)) return 'invalid_grant'
  const hash = hashString(refreshToken)
  return database.transaction(async (queries) => {
    const tool = await lockToolByRefresh(queries, hash)
    const now = clock()
    if (!tool || now >= tool.expiresAt) return 'invalid_grant'
    const isSpent = tool.refreshHash !== hash
    if (isSpent && now.getTime() - tool.renewedAt.getTime() >= GRACE_MS) {
      await endTool(queries, tool, { reason: 'refresh_token_used_twice', requester, now })
      return 'invalid_grant'
    }
    const { response, hashes } = makeTokens(now)
    await renewTool(queries, tool.id, { tokens: hashes, spentHash: hash, now })
    return response
  })
}

/** A tool signs itself out (RFC 7009). */
export async function revokeTool({ database, clock }: DevicesDeps, token: string, requester: Requester): Promise<void> {
  if (!isAccessToken(token) && !isRefreshToken(token)) return
  await database.transaction(async (queries) => {
    const tool = await lockToolByToken(queries, hashString(token))
    if (tool) await endTool(queries, tool, { reason: 'signed_out', requester, now: clock() })
  })
}

async function endTool(
  queries: Queries,
  { id, userId, email, organization }: LockedToolLogin,
  { reason, requester, now }: { readonly reason: string; readonly requester: Requester; readonly now: Date },
): Promise<void> {
  await deleteTool(queries, id)
  await recordAudit(queries, {
    at: now,
    actor: userActor(userId),
    action: 'device.ended',
    org: organization,
    detail: { session: id, email, reason, ...requesterDetail(requester) },
  })
}

/** The user of an access token. */
export async function readTool(
  { database, clock }: DevicesDeps,
  accessToken: string,
): Promise<User | 'expired' | undefined> {
  if (!isAccessToken(accessToken)) return undefined
  const found = await findToolUser(database, hashString(accessToken))
  if (!found) return undefined
  const now = clock()
  if (now >= found.accessExpiresAt || now >= found.expiresAt) return 'expired'
  const { id, displayName, accessExpiresAt: _, expiresAt: __, ...user } = found
  const domain = user.email.slice(user.email.lastIndexOf('@') + 1)
  return { ...user, kind: 'tool', sessionId: id, org: { name: displayName, domain } }
}

/** Makes an access token and a refresh token. Their prefixes let secret scanners recognize them. */
function makeTokens(now: Date): { readonly response: TokenResponse; readonly hashes: ToolTokens } {
  const access = `${ACCESS}${randomString()}`
  const refresh = `${REFRESH}${randomString()}`
  return {
    response: { access_token: access, token_type: 'Bearer', expires_in: ACCESS_SECONDS, refresh_token: refresh },
    hashes: {
      accessHash: hashString(access),
      accessExpiresAt: after(now, ACCESS_SECONDS * 1000),
      refreshHash: hashString(refresh),
    },
  }
}

/** Whether a string has the form of a tool's access token. */
export function isAccessToken(value: string): boolean {
  return /^omen_at_[\w-]{43}$/.test(value)
}

function isRefreshToken(value: string): boolean {
  return /^omen_rt_[\w-]{43}$/.test(value)
}
