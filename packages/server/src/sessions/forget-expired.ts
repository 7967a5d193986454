import { recordAudit } from '../audit/audit.js'
import { deleteExpiredDevices } from '../store/device-requests.js'
import { deleteExpiredHandOvers } from '../store/hand-overs.js'
import { deleteExpiredLogins } from '../store/logins.js'
import { deleteExpiredLogoutTokens } from '../store/logout-tokens.js'
import { deleteOverdue } from '../store/session-lists.js'
import { deleteExpiredTools } from '../store/tool-logins.js'
import { IDLE_MS } from './limits.js'
import { after, type SessionsParts } from './parts.js'

const BATCH = 100

/** How long a tool can still be told that it came too late. */
const TELL_EXPIRED_MS = 3600_000

/**
 * Takes away what is over: sessions, logins, tickets, tools and what they left behind. Any number of processes may do it at once.
 *
 * @example
 * await forgetExpired({ database, clock })
 */
export async function forgetExpired({ database, clock }: Pick<SessionsParts, 'database' | 'clock'>): Promise<void> {
  const now = clock()
  await deleteExpiredLogins(database, now)
  await deleteExpiredHandOvers(database, now)
  await deleteExpiredLogoutTokens(database, now)
  await deleteExpiredTools(database, now)
  await deleteExpiredDevices(database, after(now, -TELL_EXPIRED_MS))
  for (;;) {
    const ended = await database.transaction(async (queries) => {
      const overdue = await deleteOverdue(queries, { now, seenBefore: after(now, -IDLE_MS), limit: BATCH })
      for (const { id, email, organization } of overdue) {
        await recordAudit(queries, {
          at: now,
          actor: 'omen-server',
          action: 'session.ended',
          org: organization,
          detail: { session: id, email, reason: 'expired' },
        })
      }
      return overdue.length
    })
    if (ended < BATCH) return
  }
}
