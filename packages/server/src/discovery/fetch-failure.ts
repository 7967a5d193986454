/** Why a request was not sent, or its response cannot be used. `refused`: the guard does not allow the request. */
export type FetchFailureKind = 'refused' | 'redirected' | 'too_large' | 'too_slow' | 'unreachable'

export interface FetchFailureOptions extends ErrorOptions {
  /** A sentence that says what to do. */
  readonly advice?: string
}

/** Advice for an address that is not public. */
export const REACHABLE = 'Use an address that can be reached from the internet.'

/**
 * A request that failed. The message is the reason and can follow a colon. It contains nothing of the request's headers and body,
 * and no address that a private name server returned.
 *
 * @example
 * throw new FetchFailure('too_slow', 'there was no response within 5 s')
 */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly kind: FetchFailureKind
  readonly advice: string | undefined

  constructor(kind: FetchFailureKind, reason: string, { advice, ...options }: FetchFailureOptions = {}) {
    super(reason, options)
    this.kind = kind
    this.advice = advice
  }
}

const NOT_TLS = 'it does not support TLS at this port'
const UNTRUSTED = 'its certificate is not signed by a trusted authority'
const CHAIN_ADVICE = 'Configure the server to send its complete certificate chain.'

const REASONS: Readonly<Record<string, readonly [reason: string, advice?: string]>> = {
  ENOTFOUND: ['the host does not exist', 'Check the spelling of the host.'],
  ENODATA: ['the host does not exist', 'Check the spelling of the host.'],
  EAI_AGAIN: ['the name server does not respond', 'Try again.'],
  ECONNREFUSED: ['the connection was refused'],
  ECONNRESET: ['the connection was closed before a response'],
  EPIPE: ['the connection was closed before a response'],
  ETIMEDOUT: ['the host does not respond'],
  ENETUNREACH: ['the network cannot be reached from this server'],
  EHOSTUNREACH: ['the host cannot be reached from this server'],
  EPROTO: [NOT_TLS],
  ERR_SSL_WRONG_VERSION_NUMBER: [NOT_TLS],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: [NOT_TLS],
  CERT_HAS_EXPIRED: ['its certificate has expired'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another host'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [UNTRUSTED],
  SELF_SIGNED_CERT_IN_CHAIN: [UNTRUSTED],
  CERT_UNTRUSTED: [UNTRUSTED],
  CERT_SIGNATURE_FAILURE: [UNTRUSTED],
  CERT_REVOKED: ['its certificate was revoked'],
  UNABLE_TO_GET_ISSUER_CERT: [UNTRUSTED, CHAIN_ADVICE],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [UNTRUSTED, CHAIN_ADVICE],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [UNTRUSTED, CHAIN_ADVICE],
  HPE_HEADER_OVERFLOW: ['the headers of its response are too large'],
}

/**
 * Explains a network error by its code. Its message is not passed on, because it contains addresses.
 *
 * @example
 * explainNetworkError(error).message // 'the connection was refused'
 */
export function explainNetworkError(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  const code = codeOf(error)
  const [reason, advice] = REASONS[code] ?? [otherReason(code)]
  return new FetchFailure('unreachable', reason, { cause: error, ...(advice === undefined ? {} : { advice }) })
}

function otherReason(code: string): string {
  if (code.startsWith('HPE_')) return 'its response is not HTTP'
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}

function codeOf(error: unknown): string {
  const { code } = (error instanceof Error ? error : {}) as { readonly code?: unknown }
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : ''
}
