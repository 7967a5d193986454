import { randomInt } from 'node:crypto'
import { type Requester, recordAudit, requesterDetail, userActor } from '../audit/audit.js'
import { after } from '../clock.js'
import { Problem } from '../problem.js'
import type { User } from '../sessions/sessions.js'
import { hashString, randomString } from '../signin/begin-authorization.js'
import { holdOrganization } from '../store/organizations/organizations.js'
import { decideDevice, findPendingDevice, insertDeviceRequest } from '../store/sessions/device-requests.js'
import { holdSession } from '../store/sessions/sessions.js'
import { storable } from '../store/values.js'
import type { DeviceAuthorization, DevicesDeps, WaitingTool } from './devices.js'

/** The same time that a sign-in in the browser may take. */
const REQUEST_SECONDS = 900

const POLL_SECONDS = 5

/** Two requests have the same code only by a very small chance. */
const TRIES = 5

/** A tool asks to be signed in. The user code lets a user find the request; only the device code can fetch the tokens. */
export async function requestDevice(
  { database, clock, urls }: DevicesDeps,
  requester: Requester,
): Promise<DeviceAuthorization> {
  const deviceCode = randomString()
  const now = clock()
  for (let tries = 0; tries < TRIES; tries++) {
    const userCode = makeUserCode()
    const isStored = await insertDeviceRequest(database, {
      deviceHash: hashString(deviceCode),
      codeHash: hashString(userCode),
      address: storable(requester.address, 100),
      agent: storable(requester.agent, 200),
      pauseSeconds: POLL_SECONDS,
      createdAt: now,
      expiresAt: after(now, REQUEST_SECONDS * 1000),
    })
    if (!isStored) continue
    const uri = `${urls.baseUrl}/device`
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: REQUEST_SECONDS,
      interval: POLL_SECONDS,
    }
  }
  throw new Problem('unavailable', 'The service could not make a code. Try again.')
}

/** The tool that waits under a code, for the user who decides about it. */
export async function findTool({ database, clock }: DevicesDeps, typed: string): Promise<WaitingTool | undefined> {
  const userCode = canonicalUserCode(typed)
  if (userCode === undefined) return undefined
  const found = await findPendingDevice(database, hashString(userCode), clock())
  return found && { userCode, address: found.address, agent: found.agent, createdAt: found.createdAt }
}

interface Decision {
  readonly typed: string
  readonly decision: 'approve' | 'deny'
  readonly requester: Requester
}

/**
 * A user approves or denies a tool, once. A user who has been signed out in the meantime cannot decide: organization and
 * session are locked, so an operation that ends the user's sessions either comes first, or finds and ends the approved tool.
 */
export async function decideTool(
  { database, clock }: DevicesDeps,
  user: User,
  { typed, decision, requester }: Decision,
): Promise<boolean> {
  const userCode = canonicalUserCode(typed)
  if (userCode === undefined) return false
  const isApproved = decision === 'approve'
  return database.transaction(async (queries) => {
    if (!(await holdOrganization(queries, user.organizationId))) return false
    if (!(await holdSession(queries, user.sessionId))) return false
    const now = clock()
    const decided = await decideDevice(queries, hashString(userCode), {
      status: isApproved ? 'approved' : 'denied',
      userId: isApproved ? user.userId : undefined,
      now,
    })
    if (!decided) return false
    await recordAudit(queries, {
      at: now,
      actor: userActor(user.userId),
      action: isApproved ? 'device.approved' : 'device.denied',
      org: user.organization,
      detail: {
        email: user.email,
        tool_address: decided.address,
        tool_agent: decided.agent,
        ...requesterDetail(requester),
      },
    })
    return true
  })
}

/** Without vowels, so that codes do not spell words, and without letters that look like others (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const LENGTH = 8

/**
 * Makes a code that users type: eight of twenty letters, 34 bits, valid for 15 minutes.
 *
 * @example
 * makeUserCode() // 'WDJB-MJHT'
 */
export function makeUserCode(): string {
  return hyphenate(Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join(''))
}

/**
 * The canonical spelling of a typed code; undefined if it cannot be a code.
 *
 * @example
 * canonicalUserCode('wdjb mjht') // 'WDJB-MJHT'
 */
export function canonicalUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s._-]/g, '')
  const isCode = letters.length === LENGTH && [...letters].every((letter) => LETTERS.includes(letter))
  return isCode ? hyphenate(letters) : undefined
}

function hyphenate(letters: string): string {
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
