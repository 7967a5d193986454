import { AUDIT_ACTIONS, type PagedAuditEntry, pageAudit } from '../audit/audit.js'
import { invalidRequest } from '../onboarding/normalize-request.js'
import type { FieldError } from '../problem.js'
import { findOrganization } from '../store/organizations.js'
import type { AuditQuestion, AuditView, OfOrganization } from './administration.js'
import type { AdministrationParts } from './parts.js'

const ON_A_PAGE = 50
const MOST_ON_A_PAGE = 200

/** A page of what was done in an organization and by its people, latest first. */
export async function readAudit(
  { database }: AdministrationParts,
  { organization }: OfOrganization,
  question: AuditQuestion,
): Promise<{ readonly records: readonly AuditView[]; readonly next: string | null }> {
  const { limit, before, action } = checkQuestion(question)
  const found = await findOrganization(database, organization)
  if (!found) return { records: [], next: null }
  // One more than is shown tells whether there is more.
  const selection = { org: organization, since: found.createdAt, action, before, limit: limit + 1 }
  const entries = await pageAudit(database, selection)
  const shown = entries.slice(0, limit)
  return { records: shown.map(auditView), next: entries.length > limit ? shown.at(-1)!.id : null }
}

interface CheckedQuestion {
  readonly limit: number
  readonly before: string | undefined
  readonly action: string | undefined
}

function checkQuestion({ limit = String(ON_A_PAGE), before, action }: AuditQuestion): CheckedQuestion {
  const errors: FieldError[] = []
  const number = /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (number < 1 || number > MOST_ON_A_PAGE) {
    errors.push({ field: 'limit', message: `is a whole number from 1 to ${MOST_ON_A_PAGE}` })
  }
  if (before !== undefined && !/^\d{1,18}$/.test(before)) {
    errors.push({ field: 'before', message: 'is not from the field next of an answer' })
  }
  if (action !== undefined && !AUDIT_ACTIONS.some((known) => known === action)) {
    errors.push({ field: 'action', message: 'is none of those that are recorded, such as user.signed_in' })
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

/** Who it was, by name. Of an account that is gone, the record itself knows the address. */
function actorOf({ actor, email, token, detail: { by, email: told } }: PagedAuditEntry): string {
  if (token !== undefined) return `token ${token}`
  if (!actor.startsWith('user ')) return actor
  return ([email, by, told].find((name) => typeof name === 'string') as string | undefined) ?? actor
}
