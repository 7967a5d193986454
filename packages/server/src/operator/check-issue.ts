import { checkDomain, publicDomain } from '../organizations/domain.js'
import { invalidRequest, NAME_RULE, nameIn } from '../organizations/fields.js'
import type { FieldError } from '../problem.js'

export interface IssueRequest {
  readonly org: string
  readonly expires: string
  readonly domain?: string
}

export interface CheckedIssue {
  readonly org: string
  readonly expires: string
  readonly domain: string | undefined
}

/** Checks what a code is to be issued for. Rejects with all that is wrong, by field. */
export function checkIssue({ org, expires, domain }: IssueRequest, now: Date): CheckedIssue {
  const errors: FieldError[] = []
  const name = nameIn(org)
  if (name === undefined) errors.push({ field: 'org', message: NAME_RULE })
  const today = now.toISOString().slice(0, 10)
  if (!isDate(expires)) {
    errors.push({ field: 'expires', message: 'is not a date such as 2030-12-31' })
  } else if (expires <= today) {
    errors.push({ field: 'expires', message: `is ${expires}, and must lie after today, ${today} (UTC)` })
  }
  const checked = domain === undefined ? { domain: undefined } : checkDomain(domain)
  if ('problem' in checked && checked.problem === 'invalid_request') {
    errors.push({ field: 'domain', message: checked.message })
  }
  if (errors.length > 0) throw invalidRequest(errors)
  if ('problem' in checked) throw publicDomain(checked.message)
  return { org: name!, expires, domain: checked.domain }
}

/** Year, month and day of the calendar: there is no 30th of February, and no year before 1000 or after 9999. */
export function isDate(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
