import type { AuditSelection } from '../audit/audit.js'
import { invalidRequest } from '../organizations/fields.js'
import type { FieldError } from '../problem.js'
import type { AuditFilter } from './operations.js'

const DEFAULT_LIMIT = 100
/** The most records in one response. More are read by continuing after the last id. */
const HIGHEST_LIMIT = 10_000
/** The highest id of the database. */
const HIGHEST_ID = 2n ** 63n - 1n

/** Checks a filter as it was typed. */
export function readAuditFilter({ org, action, since, limit = DEFAULT_LIMIT, after }: AuditFilter): AuditSelection {
  const errors: FieldError[] = []
  const from = since === undefined ? undefined : new Date(since)
  if (from !== undefined && !isStorable(from)) {
    errors.push({ field: 'since', message: 'is not a time such as 2030-12-31 or 2030-12-31T08:00:00Z' })
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > HIGHEST_LIMIT) {
    errors.push({ field: 'limit', message: `is a whole number from 1 to ${HIGHEST_LIMIT}` })
  }
  if (after !== undefined && !(/^\d{1,19}$/.test(after) && BigInt(after) <= HIGHEST_ID)) {
    errors.push({ field: 'after', message: 'is not the id of an audit record' })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return { org: storable(org), action: storable(action), since: from, after, limit }
}

function isStorable(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999
}

/** A string that no record can contain finds none; a database would reject the zero character. */
function storable(text: string | undefined): string | undefined {
  return text?.replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
}
