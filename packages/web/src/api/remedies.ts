import type { FieldError, RequestFailure } from './failure.js'

/** The form fields that an error can be shown at. */
export type FieldName =
  | 'code'
  | 'well_known_url'
  | 'domain'
  | 'org_name'
  | 'client_id'
  | 'client_secret'
  | 'name'
  | 'scopes'
  | 'expires_at'

/** What a button next to the message can do. */
export type RemedyAction = 'retry' | 'enter-code' | 'repeat-connection' | 'finish'

export interface Remedy {
  /** The field to show the message at; without one, the message is shown above the form. */
  readonly field?: FieldName
  readonly action?: RemedyAction
}

/**
 * Where the message of each code in the API's error table is shown, and with which button. The message is the service's
 * `detail`.
 */
export const REMEDIES: Readonly<Record<string, Remedy>> = {
  missing_code: { field: 'code' },
  invalid_code: { field: 'code' },
  code_expired: { field: 'code' },
  code_used: { field: 'code', action: 'finish' },
  missing_token: { action: 'enter-code' },
  invalid_token: { action: 'enter-code' },
  token_expired: { action: 'enter-code' },
  discovery_failed: { field: 'well_known_url' },
  domain_taken: { field: 'domain' },
  public_domain: { field: 'domain' },
  unknown_transaction: { action: 'repeat-connection' },
  transaction_expired: { action: 'repeat-connection' },
  already_completed: { action: 'finish' },
  idp_unavailable: { action: 'retry' },
  rate_limited: { action: 'retry' },
  unavailable: { action: 'retry' },
  internal: { action: 'retry' },
  offline: { action: 'retry' },
  no_response: { action: 'retry' },
  unreadable: { action: 'retry' },
}

/**
 * Looks up the remedy for a code. A failure with an unknown code is shown above the form, without a button.
 *
 * @example
 * remedyOf('discovery_failed').field // 'well_known_url'
 */
export function remedyOf(code: string): Remedy {
  return Object.hasOwn(REMEDIES, code) ? REMEDIES[code]! : {}
}

export interface PlacedFailure {
  /** Messages by the field of the form that they are about. */
  readonly atField: Readonly<Record<string, string>>
  /** Errors of fields that this form does not have. */
  readonly elsewhere: readonly FieldError[]
  /** Whether the failure is also shown above the form. */
  readonly above: boolean
}

/**
 * Decides where a failure is shown: at the fields of the form that it is about, and the rest above the form.
 *
 * @example
 * placeFailure(failure, ['well_known_url', 'domain', 'org_name']).atField.domain // 'Enter a domain that you own.'
 */
export function placeFailure(failure: RequestFailure, fields: readonly FieldName[]): PlacedFailure {
  const isHere = (field: string) => fields.some((name) => name === field)
  const { field } = remedyOf(failure.code)
  const here = failure.errors.filter((error) => isHere(error.field))
  const elsewhere = failure.errors.filter((error) => !isHere(error.field))
  // When the whole failure is about one field, `detail` is the message for that field.
  const own = field !== undefined && isHere(field) ? [{ field, message: failure.detail }] : []
  // The detail of an invalid request only repeats the field errors; any other detail adds something and is shown above.
  const listed = failure.code === 'invalid_request' && here.length > 0
  const above = elsewhere.length > 0 || (own.length === 0 && !listed)
  const messageOf = ({ message }: FieldError) =>
    above && !listed && failure.detail.includes(message) ? 'See above.' : message
  // The first message for a field wins; `fromEntries` keeps the last one, hence `reverse`.
  const atField = Object.fromEntries([...own, ...here].map((error) => [error.field, messageOf(error)]).reverse())
  return { atField, elsewhere, above }
}
