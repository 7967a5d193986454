import { recordAudit } from '../audit/audit.js'
import { deleteExpiredReplacements } from '../store/replacements.js'
import type { AdministrationParts } from './parts.js'

/**
 * Takes away the connections that nobody has switched to in time, so that no secret outlives its purpose. Any number of processes
 * may do it at once.
 *
 * @example
 * await forgetExpiredReplacements({ database, clock })
 */
export async function forgetExpiredReplacements({
  database,
  clock,
}: Pick<AdministrationParts, 'database' | 'clock'>): Promise<void> {
  await database.transaction(async (queries) => {
    const now = clock()
    for (const { id, organization, issuer, clientId } of await deleteExpiredReplacements(queries, now)) {
      await recordAudit(queries, {
        at: now,
        actor: 'omen-server',
        action: 'connection.dropped',
        org: organization,
        detail: { replacement: id, issuer, client_id: clientId, reason: 'expired' },
      })
    }
  })
}
