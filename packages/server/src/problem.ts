/** Every problem code of the API with its status and title. The codes are stable: programs depend on them. */
export const PROBLEMS = {
  missing_code: { status: 400, title: 'No code' },
  invalid_json: { status: 400, title: 'The body is not JSON' },
  bad_request: { status: 400, title: 'The request is malformed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  invalid_code: { status: 401, title: 'The code is not valid' },
  code_expired: { status: 410, title: 'The code has expired' },
  code_used: { status: 410, title: 'The code was already used' },
  missing_token: { status: 401, title: 'No token' },
  invalid_token: { status: 401, title: 'The token is not valid' },
  token_expired: { status: 401, title: 'The token has expired' },
  invalid_request: { status: 422, title: 'The request is not valid' },
  discovery_failed: { status: 422, title: 'The identity provider cannot be used' },
  domain_taken: { status: 409, title: 'The domain is already connected' },
  public_domain: { status: 422, title: 'The domain is public' },
  unknown_transaction: { status: 404, title: 'Unknown transaction' },
  transaction_expired: { status: 410, title: 'The transaction has expired' },
  already_completed: { status: 409, title: 'The transaction is completed' },
  client_rejected: { status: 422, title: 'The identity provider rejects the client' },
  idp_unavailable: { status: 502, title: 'The identity provider is not available' },
  missing_scope: { status: 403, title: 'The token does not allow this' },
  unknown_file: { status: 404, title: 'Unknown file' },
  range_not_satisfiable: { status: 416, title: 'The range is outside the file' },
  invalid_package: { status: 422, title: 'The package cannot be used' },
  signature_rejected: { status: 422, title: 'The signature is not accepted' },
  version_exists: { status: 409, title: 'The version is already published' },
  version_outdated: { status: 409, title: 'The version is older than the newest' },
  missing_session: { status: 401, title: 'Nobody is signed in' },
  sign_in_refused: { status: 403, title: 'The sign-in failed' },
  cross_site: { status: 403, title: 'The request comes from another site' },
  not_administrator: { status: 403, title: 'Only administrators may do this' },
  last_administrator: { status: 409, title: 'The organization needs an administrator' },
  domain_unverified: { status: 422, title: 'The domain is not verified' },
  primary_domain: { status: 409, title: 'The domain cannot be removed' },
  too_many_domains: { status: 409, title: 'Too many unverified domains' },
  too_many_tokens: { status: 409, title: 'Too many tokens' },
  connection_untested: { status: 409, title: 'The connection is not tested' },
  connection_changed: { status: 409, title: 'The connection has changed' },
  rate_limited: { status: 429, title: 'Too many requests' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  unavailable: { status: 503, title: 'The service is not available' },
  internal: { status: 500, title: 'The service failed' },
} as const

export type ProblemCode = keyof typeof PROBLEMS

/** A field of a body that is not valid. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

export interface ProblemOptions extends ErrorOptions {
  readonly errors?: readonly FieldError[]
  /** Seconds to wait before another try: the `Retry-After` header. */
  readonly retryAfter?: number
}

/**
 * An error that is sent to the requester as `application/problem+json` (RFC 9457). The detail says what to do next, and never
 * contains a secret.
 *
 * @example
 * throw new Problem('code_expired', 'This code expired on 2026-12-31. Ask the operator for a new code.')
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly errors: readonly FieldError[] | undefined
  readonly retryAfter: number | undefined

  constructor(code: ProblemCode, detail: string, { errors, retryAfter, ...options }: ProblemOptions = {}) {
    super(detail, options)
    this.code = code
    this.errors = errors
    this.retryAfter = retryAfter
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }
}
