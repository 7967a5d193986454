import { recordAudit } from '../audit/audit.js'
import type { Caller } from '../onboarding/onboarding.js'
import { callerDetail } from '../onboarding/parts.js'
import { Problem } from '../problem.js'
import { after, type SessionsParts, storable, userActor } from '../sessions/parts.js'
import type { Person, Visitor } from '../sessions/sessions.js'
import { hashText, randomText } from '../signin/begin-authorization.js'
import { decideDevice, findPendingDevice, insertDeviceRequest } from '../store/device-requests.js'
import { holdOrganization } from '../store/organizations.js'
import { holdSession } from '../store/sessions.js'
import type { DeviceAuthorization, WaitingTool } from './devices.js'
import { canonicalUserCode, makeUserCode } from './user-code.js'

export type DevicesParts = Pick<SessionsParts, 'database' | 'clock' | 'urls'>

/** As long as a sign-in in the browser may take. */
const REQUEST_SECONDS = 900

const PAUSE_SECONDS = 5

/** Two requests with one code are a matter of chance, and of a very small one. */
const TRIES = 5

/** A tool asks to be signed in. Whoever has the code can see that it waits; only the tool can come for the tokens. */
export async function requestDevice(
  { database, clock, urls }: DevicesParts,
  visitor: Visitor,
): Promise<DeviceAuthorization> {
  const deviceCode = randomText()
  const now = clock()
  for (let tries = 0; tries < TRIES; tries++) {
    const userCode = makeUserCode()
    const isKept = await insertDeviceRequest(database, {
      deviceHash: hashText(deviceCode),
      codeHash: hashText(userCode),
      address: storable(visitor.address, 100),
      agent: storable(visitor.agent, 200),
      pauseSeconds: PAUSE_SECONDS,
      createdAt: now,
      expiresAt: after(now, REQUEST_SECONDS * 1000),
    })
    if (!isKept) continue
    const uri = `${urls.baseUrl}/device`
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: REQUEST_SECONDS,
      interval: PAUSE_SECONDS,
    }
  }
  throw new Problem('unavailable', 'No code could be made. Try again.')
}

/** What waits under a code, for the person who decides about it. */
export async function findTool({ database, clock }: DevicesParts, typed: string): Promise<WaitingTool | undefined> {
  const userCode = canonicalUserCode(typed)
  if (userCode === undefined) return undefined
  const found = await findPendingDevice(database, hashText(userCode), clock())
  return found && { userCode, address: found.address, agent: found.agent, createdAt: found.createdAt }
}

/**
 * Somebody approves or denies a tool, once. Whoever was signed out meanwhile decides nothing: organization and session are held,
 * so that what ends somebody's sessions either comes first, or finds what was approved and ends it, too.
 */
export async function decideTool(
  { database, clock }: DevicesParts,
  person: Person,
  {
    typed,
    decision,
    caller,
  }: { readonly typed: string; readonly decision: 'approve' | 'deny'; readonly caller: Caller },
): Promise<boolean> {
  const userCode = canonicalUserCode(typed)
  if (userCode === undefined) return false
  const isApproved = decision === 'approve'
  return database.transaction(async (queries) => {
    if (!(await holdOrganization(queries, person.organizationId))) return false
    if (!(await holdSession(queries, person.sessionId))) return false
    const now = clock()
    const decided = await decideDevice(queries, hashText(userCode), {
      status: isApproved ? 'approved' : 'denied',
      userId: isApproved ? person.userId : undefined,
      now,
    })
    if (!decided) return false
    await recordAudit(queries, {
      at: now,
      actor: userActor(person.userId),
      action: isApproved ? 'device.approved' : 'device.denied',
      org: person.organization,
      detail: {
        email: person.email,
        tool_address: decided.address,
        tool_agent: decided.agent,
        ...callerDetail(caller),
      },
    })
    return true
  })
}
