import { type AuditAction, recordAudit } from '../audit/audit.js'
import type { Place } from '../keys/secrets.js'
import { callerDetail, type OnboardingParts } from '../onboarding/parts.js'
import { Problem } from '../problem.js'
import { userActor } from '../sessions/parts.js'
import type { Queries } from '../store/database.js'
import { lockOrganization } from '../store/organizations.js'
import { isAdministrator } from '../store/users.js'
import type { By } from './administration.js'
import type { ResolveTxt } from './resolve-txt.js'

/** What an organization's administration is made of. */
export interface AdministrationParts extends OnboardingParts {
  readonly resolveTxt: ResolveTxt
}

/** What a change does in its transaction. */
export interface Change {
  readonly queries: Queries
  readonly now: Date
  /** Writes the record of what is done. */
  record(action: AuditAction, detail: Readonly<Record<string, unknown>>): Promise<void>
}

/**
 * Changes something in the name of an administrator, in one transaction. The organization is locked first, as by everybody who
 * changes what belongs to it: changes of one organization come one after the other, and whoever has just been made a member
 * changes nothing more.
 *
 * @example
 * await changeAs(parts, by, async ({ queries, record }) => { … await record('user.removed', { email }) })
 */
export function changeAs<T>(
  { database, clock }: Pick<AdministrationParts, 'database' | 'clock'>,
  { person, caller }: By,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return database.transaction(async (queries) => {
    await lockOrganization(queries, person.organizationId)
    if (!(await isAdministrator(queries, person.organizationId, person.userId))) throw notAdministrator()
    const now = clock()
    const record: Change['record'] = (action, detail) =>
      recordAudit(queries, {
        at: now,
        actor: userActor(person.userId),
        action,
        org: person.organization,
        detail: { ...detail, by: person.email, ...callerDetail(caller) },
      })
    return work({ queries, now, record })
  })
}

export function notAdministrator(): Problem {
  return new Problem(
    'not_administrator',
    'This is for administrators of your organization. Ask one of them, or let one make you an administrator.',
  )
}

export function lastAdministrator(): Problem {
  return new Problem(
    'last_administrator',
    'Nobody would be left to administer your organization. Make somebody else an administrator first, who can sign in.',
  )
}

/** Where the client secret of the next connection stands. */
export function replacementSecretPlace(id: string): Place {
  return { table: 'connection_replacements', row: id, column: 'client_secret' }
}
