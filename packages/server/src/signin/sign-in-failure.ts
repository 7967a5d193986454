/** Why a sign-in failed. The codes are stable: they appear in logs and audit records. */
export type SignInFailureCode =
  | 'access_denied'
  | 'provider_error'
  | 'no_code'
  | 'wrong_state'
  | 'wrong_response_issuer'
  | 'code_rejected'
  | 'client_rejected'
  | 'redirect_uri_rejected'
  | 'provider_unavailable'
  | 'token_answer_unreadable'
  | 'no_id_token'
  | 'id_token_unreadable'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'wrong_nonce'
  | 'claim_missing'
  | 'token_expired'
  | 'token_not_yet_valid'
  | 'wrong_algorithm'
  | 'unknown_key'
  | 'bad_signature'
  | 'keys_unavailable'
  | 'userinfo_unavailable'
  | 'wrong_userinfo_subject'
  | 'email_missing'
  | 'email_unreadable'
  | 'email_unverified'
  | 'wrong_domain'
  | 'subject_unreadable'
  | 'address_in_use'

/**
 * A sign-in that failed. The message says what an administrator should change, and contains no secret and no code.
 *
 * @example
 * throw new SignInFailure('wrong_nonce', 'The ID token belongs to another sign-in.')
 */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure'
  readonly code: SignInFailureCode

  constructor(code: SignInFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
