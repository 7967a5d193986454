import { after } from '../clock.js'
import { hashString, isRandomString, randomString } from '../signin/begin-authorization.js'
import { insertCookie, insertHandOver, takeHandOver } from '../store/sessions/sessions.js'
import { HAND_OVER_MS } from './limits.js'
import { readSession } from './read-session.js'
import type { SessionsDeps } from './sessions.js'

const HASH = /^[0-9a-f]{64}$/

/**
 * A cookie belongs to one host. If the app has a different host than sign-in, the session gets a second cookie: the app's host
 * gives the browser a secret, sign-in makes a ticket for that secret, and the app's host exchanges the ticket. A ticket that
 * someone else put into a link does not match the secret of the browser.
 */
export async function beginHandOver(
  deps: SessionsDeps,
  cookie: string | undefined,
  bindingHash: string,
): Promise<string | undefined> {
  if (!HASH.test(bindingHash)) return undefined
  const user = await readSession(deps, cookie)
  if (!user) return undefined
  const ticket = randomString()
  const isStored = await insertHandOver(deps.database, {
    ticketHash: hashString(ticket),
    sessionId: user.sessionId,
    bindingHash,
    expiresAt: after(deps.clock(), HAND_OVER_MS),
  })
  return isStored ? ticket : undefined
}

/** Exchanges a ticket, once, for a cookie of the same session. */
export async function finishHandOver(
  { database, clock }: SessionsDeps,
  ticket: string,
  binding: string | undefined,
): Promise<string | undefined> {
  if (!isRandomString(ticket) || !isRandomString(binding)) return undefined
  return database.transaction(async (queries) => {
    const hashes = { ticketHash: hashString(ticket), bindingHash: hashString(binding) }
    const sessionId = await takeHandOver(queries, hashes, clock())
    if (sessionId === undefined) return undefined
    const cookie = randomString()
    await insertCookie(queries, hashString(cookie), sessionId)
    return cookie
  })
}
