import { randomUUID } from 'node:crypto'
import { recordAudit } from '../audit/audit.js'
import type { Caller } from '../onboarding/onboarding.js'
import { callerDetail } from '../onboarding/parts.js'
import { after, userActor } from '../sessions/parts.js'
import { hashText, isRandomText } from '../signin/begin-authorization.js'
import type { Queries } from '../store/database.js'
import { type DeviceRequest, deleteDevice, lockDevice, noteQuestion } from '../store/device-requests.js'
import { insertToolLogin } from '../store/tool-logins.js'
import { findUser } from '../store/users.js'
import type { TokenAnswer, TokenError } from './devices.js'
import type { DevicesParts } from './request-device.js'
import { makeTokens } from './tokens.js'

/** However often it renews its tokens, a tool is signed in again after this long. */
const TOOL_MS = 30 * 24 * 3600_000

/** What a tool that asks too fast waits longer (RFC 8628, section 3.5). */
const MORE_SECONDS = 5
const LONGEST_PAUSE = 3600

/** A tool comes for its tokens. They are given once, to whoever has the device code, after somebody has approved. */
export async function exchangeDevice(
  { database, clock }: DevicesParts,
  deviceCode: string,
  caller: Caller,
): Promise<TokenAnswer | TokenError> {
  if (!isRandomText(deviceCode)) return 'invalid_grant'
  return database.transaction(async (queries) => {
    const request = await lockDevice(queries, hashText(deviceCode))
    const now = clock()
    if (!request) return 'invalid_grant'
    if (now >= request.expiresAt) return 'expired_token'
    if (request.status === 'approved') return giveTokens(queries, request, caller, now)
    if (request.status === 'denied') {
      await deleteDevice(queries, request.deviceHash)
      return 'access_denied'
    }
    const isTooFast = isWithin(request.askedAt, request.pauseSeconds, now)
    const pauseSeconds = Math.min(request.pauseSeconds + (isTooFast ? MORE_SECONDS : 0), LONGEST_PAUSE)
    await noteQuestion(queries, request.deviceHash, { askedAt: now, pauseSeconds })
    return isTooFast ? 'slow_down' : 'authorization_pending'
  })
}

async function giveTokens(queries: Queries, request: DeviceRequest, caller: Caller, now: Date): Promise<TokenAnswer> {
  const { deviceHash, userId = '', address, agent } = request
  await deleteDevice(queries, deviceHash)
  const { answer, hashes } = makeTokens(now)
  const id = randomUUID()
  const expiresAt = after(now, TOOL_MS)
  await insertToolLogin(queries, { id, userId, ...hashes, address, agent, createdAt: now, expiresAt })
  const user = await findUser(queries, userId)
  await recordAudit(queries, {
    at: now,
    actor: userActor(userId),
    action: 'device.signed_in',
    ...(user && { org: user.organization }),
    detail: { session: id, ...(user && { email: user.email }), ...callerDetail(caller) },
  })
  return answer
}

/** A moment in the future was noted before the clock was set back: it counts for nothing. */
function isWithin(moment: Date | undefined, seconds: number, now: Date): boolean {
  if (moment === undefined) return false
  const passed = now.getTime() - moment.getTime()
  return passed >= 0 && passed < seconds * 1000
}
