import { hashText, isRandomText, randomText } from '../signin/begin-authorization.js'
import { insertHandOver, takeHandOver } from '../store/hand-overs.js'
import { insertCookie } from '../store/sessions.js'
import { HAND_OVER_MS } from './limits.js'
import { after, type SessionsParts } from './parts.js'
import { readSession } from './read-session.js'

const HASH = /^[0-9a-f]{64}$/

/**
 * Cookies belong to one host. Where the app has another than sign-in, the session gets a cookie for it, too: the app's host gives
 * the browser a secret, sign-in makes a ticket for whoever has it, and the app's host takes the ticket. A ticket that somebody
 * else sends along does not fit the secret.
 */
export async function beginHandOver(
  parts: SessionsParts,
  cookie: string | undefined,
  bindingHash: string,
): Promise<string | undefined> {
  if (!HASH.test(bindingHash)) return undefined
  const person = await readSession(parts, cookie)
  if (!person) return undefined
  const ticket = randomText()
  const isKept = await insertHandOver(parts.database, {
    ticketHash: hashText(ticket),
    sessionId: person.sessionId,
    bindingHash,
    expiresAt: after(parts.clock(), HAND_OVER_MS),
  })
  return isKept ? ticket : undefined
}

/** Takes a ticket once, for a cookie of the same session. */
export async function finishHandOver(
  { database, clock }: SessionsParts,
  ticket: string,
  binding: string | undefined,
): Promise<string | undefined> {
  if (!isRandomText(ticket) || !isRandomText(binding)) return undefined
  return database.transaction(async (queries) => {
    const hashes = { ticketHash: hashText(ticket), bindingHash: hashText(binding) }
    const sessionId = await takeHandOver(queries, hashes, clock())
    if (sessionId === undefined) return undefined
    const cookie = randomText()
    await insertCookie(queries, hashText(cookie), sessionId)
    return cookie
  })
}
