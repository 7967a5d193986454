import { AUDIT_ACTIONS, type PagedAuditEntry, pageAudit } from '../audit/audit.js'
import { invalidRequest } from '../organizations/fields.js'
import type { FieldError } from '../problem.js'
import { findOrganization } from '../store/organizations/organizations.js'
import type { AdministrationDeps, AuditQuery, AuditView, OrganizationRef } from './administration.js'

const ON_A_PAGE = 50
const MOST_ON_A_PAGE = 200

/** A page of an organization's audit records, the latest first. */
export async function readAudit(
  { database }: AdministrationDeps,
  { organization }: OrganizationRef,
  query: AuditQuery,
): Promise<{ readonly records: readonly AuditView[]; readonly next: string | null }> {
  const { limit, before, action } = checkQuery(query)
  const found = await findOrganization(database, organization)
  if (!found) return { records: [], next: null }
  // One more record than the page shows, to know whether there is a next page.
  const selection = { org: organization, since: found.createdAt, action, before, limit: limit + 1 }
  const entries = await pageAudit(database, selection)
  const shown = entries.slice(0, limit)
  return { records: shown.map(auditView), next: entries.length > limit ? shown.at(-1)!.id : null }
}

interface CheckedQuery {
  readonly limit: number
  readonly before: string | undefined
  readonly action: string | undefined
}

function checkQuery({ limit = String(ON_A_PAGE), before, action }: AuditQuery): CheckedQuery {
  const errors: FieldError[] = []
  const number = /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (number < 1 || number > MOST_ON_A_PAGE) {
    errors.push({ field: 'limit', message: `must be a whole number from 1 to ${MOST_ON_A_PAGE}` })
  }
  if (before !== undefined && !/^\d{1,18}$/.test(before)) {
    errors.push({ field: 'before', message: 'must be the value of the field next of a response' })
  }
  if (action !== undefined && !AUDIT_ACTIONS.some((known) => known === action)) {
    errors.push({ field: 'action', message: 'must be a recorded action, such as user.signed_in' })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return { limit: number, before, action }
}

function auditView(entry: PagedAuditEntry): AuditView {
  const { id, at, action } = entry
  const { address, by: _, ...detail } = entry.detail
  return {
    id,
    at: at.toISOString(),
    action,
    actor: actorOf(entry),
    address: typeof address === 'string' ? address : null,
    detail,
  }
}

/** The name of the actor. For a removed account, the record itself contains the address. */
function actorOf({ actor, email, token, detail: { by, email: recorded } }: PagedAuditEntry): string {
  if (token !== undefined) return `token ${token}`
  if (!actor.startsWith('user ')) return actor
  return ([email, by, recorded].find((name) => typeof name === 'string') as string | undefined) ?? actor
}
