import { type AuditAction, recordAudit, requesterDetail, userActor } from '../audit/audit.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { lockOrganization } from '../store/organizations/organizations.js'
import { isAdministrator } from '../store/organizations/users.js'
import type { Actor, AdministrationDeps } from './administration.js'

/** A change in its database transaction. */
export interface Change {
  readonly queries: Queries
  readonly now: Date
  /** Writes the audit record of the change. */
  record(action: AuditAction, detail: Readonly<Record<string, unknown>>): Promise<void>
}

/**
 * Makes a change on behalf of an administrator, in one transaction. The organization is locked first, so changes of one
 * organization run one after the other, and a user who has just lost the role changes nothing more.
 *
 * @example
 * await changeAs(deps, actor, async ({ queries, record }) => { … await record('user.removed', { email }) })
 */
export function changeAs<T>(
  { database, clock }: Pick<AdministrationDeps, 'database' | 'clock'>,
  { user, requester }: Actor,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return database.transaction(async (queries) => {
    await lockOrganization(queries, user.organizationId)
    if (!(await isAdministrator(queries, user.organizationId, user.userId))) throw notAdministrator()
    const now = clock()
    const record: Change['record'] = (action, detail) =>
      recordAudit(queries, {
        at: now,
        actor: userActor(user.userId),
        action,
        org: user.organization,
        detail: { ...detail, by: user.email, ...requesterDetail(requester) },
      })
    return work({ queries, now, record })
  })
}

export function notAdministrator(): Problem {
  return new Problem(
    'not_administrator',
    'Only administrators of your organization can do this. Ask an administrator to do it, or to make you an administrator.',
  )
}
