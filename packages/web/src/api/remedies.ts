import type { Failure, FieldError } from './failure.js'

/** The fields that an error can stand at. */
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

/** What the page can offer beside the words of the service. */
export type Offer = 'retry' | 'enter-code' | 'repeat-connection' | 'finish'

export interface Remedy {
  /** The field that the problem is about; above the form without one. */
  readonly field?: FieldName
  readonly offer?: Offer
}

/**
 * What to do about each code of the API's error table. The service's `detail` says it in words; this says where the words
 * stand and which button stands beside them.
 */
export const REMEDIES: Readonly<Record<string, Remedy>> = {
  missing_code: { field: 'code' },
  invalid_code: { field: 'code' },
  code_expired: { field: 'code' },
  code_used: { field: 'code', offer: 'finish' },
  missing_token: { offer: 'enter-code' },
  invalid_token: { offer: 'enter-code' },
  token_expired: { offer: 'enter-code' },
  discovery_failed: { field: 'well_known_url' },
  domain_taken: { field: 'domain' },
  public_domain: { field: 'domain' },
  unknown_transaction: { offer: 'repeat-connection' },
  transaction_expired: { offer: 'repeat-connection' },
  already_completed: { offer: 'finish' },
  idp_unavailable: { offer: 'retry' },
  rate_limited: { offer: 'retry' },
  unavailable: { offer: 'retry' },
  internal: { offer: 'retry' },
  offline: { offer: 'retry' },
  no_answer: { offer: 'retry' },
  unreadable: { offer: 'retry' },
}

/**
 * Looks up what to do about a code. A code that the page does not know is shown above the form, without a button.
 *
 * @example
 * remedyOf('discovery_failed').field // 'well_known_url'
 */
export function remedyOf(code: string): Remedy {
  return Object.hasOwn(REMEDIES, code) ? REMEDIES[code]! : {}
}

export interface PlacedFailure {
  /** The words that belong to a field of the form. */
  readonly atField: Readonly<Record<string, string>>
  /** What is wrong with fields that this form does not have. */
  readonly elsewhere: readonly FieldError[]
  /** Whether something is left to say above the form. */
  readonly above: boolean
}

/**
 * Decides where the words of a failure stand: at the fields of the form that they are about, the rest above it.
 *
 * @example
 * placeFailure(failure, ['well_known_url', 'domain', 'org_name']).atField.domain // 'Enter a domain that you own.'
 */
export function placeFailure(failure: Failure, fields: readonly FieldName[]): PlacedFailure {
  const isHere = (field: string) => fields.some((name) => name === field)
  const { field } = remedyOf(failure.code)
  const here = failure.errors.filter((error) => isHere(error.field))
  const elsewhere = failure.errors.filter((error) => !isHere(error.field))
  // `detail` says all that there is to say of a field that the whole failure is about.
  const own = field !== undefined && isHere(field) ? [{ field, message: failure.detail }] : []
  // The detail of an invalid request only lists what stands at the fields; any other says more, and stands above.
  const listed = failure.code === 'invalid_request' && here.length > 0
  const above = elsewhere.length > 0 || (own.length === 0 && !listed)
  const words = ({ message }: FieldError) =>
    above && !listed && failure.detail.includes(message) ? 'See above.' : message
  // The first message for a field wins: `fromEntries` keeps the last, so the order is turned.
  const atField = Object.fromEntries([...own, ...here].map((error) => [error.field, words(error)]).reverse())
  return { atField, elsewhere, above }
}
