import type { GuardedAnswer } from './guarded-fetch.js'
import { readJsonObject } from './read-json.js'

/** The errors of a token endpoint (RFC 6749, section 5.2, and what is seen beside them). Others are not repeated: they may hold anything. */
const KNOWN_ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'access_denied',
  'redirect_uri_mismatch',
  'server_error',
  'temporarily_unavailable',
  'interaction_required',
  'consent_required',
])

/** What the answer to a token request with a made-up code says about the client. */
export interface TokenAnswer {
  /**
   * `accepted` the client is who it says it is, only the code is wrong; `rejected` it is not; `unclear` the request as such was
   * not understood; `unavailable` there is no answer in the sense of the protocol.
   */
  readonly verdict: 'accepted' | 'rejected' | 'unclear' | 'unavailable'
  readonly status: number
  /** One of the known errors. */
  readonly error: string | undefined
  /** For people who write software, in the provider's words. It may repeat a secret, so it is read, and never told. */
  readonly description: string
}

const VERDICTS: Readonly<Record<string, TokenAnswer['verdict']>> = {
  invalid_grant: 'accepted',
  invalid_client: 'rejected',
  unauthorized_client: 'rejected',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
}

/** Answers of a server that has no time now, whatever they hold. */
const BUSY = new Set([408, 425, 429])

/**
 * Reads the answer to a token request with a made-up code.
 *
 * @example
 * readTokenAnswer({ status: 400, headers: {}, body: encode('{"error":"invalid_grant"}') }).verdict // 'accepted'
 */
export function readTokenAnswer(answer: GuardedAnswer): TokenAnswer {
  const { status } = answer
  const { error, description, isJson } = readError(answer)
  return { verdict: judge(status, error, isJson), status, error, description }
}

function judge(status: number, error: string | undefined, isJson: boolean): TokenAnswer['verdict'] {
  if (status >= 500 || BUSY.has(status)) return 'unavailable'
  const verdict = error === undefined ? undefined : VERDICTS[error]
  if (verdict !== undefined) return verdict
  if (status === 401) return 'rejected'
  return isJson && status >= 400 ? 'unclear' : 'unavailable'
}

function readError(answer: GuardedAnswer): { error: string | undefined; description: string; isJson: boolean } {
  try {
    // Okta writes some of its errors in a form of its own.
    const { error, errorCode, error_description: description, errorSummary } = readJsonObject(answer)
    const code = typeof error === 'string' ? error : errorCode
    const words = typeof description === 'string' ? description : errorSummary
    return {
      error: typeof code === 'string' && KNOWN_ERRORS.has(code) ? code : undefined,
      description: typeof words === 'string' ? words : '',
      isJson: true,
    }
  } catch {
    return { error: undefined, description: '', isJson: false }
  }
}
