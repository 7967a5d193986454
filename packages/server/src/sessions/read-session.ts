import { hashText, isRandomText } from '../signin/begin-authorization.js'
import { findSession, noteActivity, type StoredSession } from '../store/sessions.js'
import { checkWithProvider } from './check-with-provider.js'
import { isAlive, NOTE_MS } from './limits.js'
import type { SessionsParts } from './parts.js'
import type { Person } from './sessions.js'

/**
 * Who a cookie belongs to. Activity is noted; where the identity provider's last word is too old it is asked again first, and its
 * no ends the session.
 */
export async function readSession(parts: SessionsParts, cookie: string | undefined): Promise<Person | undefined> {
  if (!isRandomText(cookie)) return undefined
  const session = await findSession(parts.database, hashText(cookie))
  const now = parts.clock()
  if (session === undefined || !isAlive(session, now)) return undefined
  if (session.renewable && isDue(session, now) && !(await checkWithProvider(parts, session))) return undefined
  const idle = now.getTime() - session.seenAt.getTime()
  // A note from the future was made before the clock was set back: it would keep the session alive for too long.
  if (idle >= NOTE_MS || idle < 0) await noteActivity(parts.database, session.id, now)
  return personOf(session)
}

/** A check that lies further ahead than any can was planned before the clock was set back. */
function isDue({ checkAfter, expiresAt }: StoredSession, now: Date): boolean {
  return now >= checkAfter || checkAfter > expiresAt
}

export function personOf(session: StoredSession): Person {
  const { id, userId, organizationId, organization, displayName, email, name, role } = session
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return {
    kind: 'browser',
    sessionId: id,
    userId,
    organizationId,
    organization,
    email,
    name,
    role,
    org: { name: displayName, domain },
  }
}
