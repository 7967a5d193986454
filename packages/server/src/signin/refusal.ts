/** Why a sign-in is refused. The codes are stable: they stand in the log and in audit records. */
export type RefusalCode =
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

/** A sign-in that is refused: the reason, and what an administrator changes. It holds no secret and no code. */
export interface Refusal {
  readonly refused: RefusalCode
  readonly detail: string
}

/**
 * Thrown inside of this folder where a sign-in ends; whoever calls it is given the refusal as a value.
 *
 * @example
 * throw new Refused('wrong_nonce', 'The ID token belongs to another sign-in.')
 */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: RefusalCode

  constructor(code: RefusalCode, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
  }

  get refusal(): Refusal {
    return { refused: this.code, detail: this.message }
  }
}
