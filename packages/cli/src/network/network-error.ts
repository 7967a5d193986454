/** Why a connection failed, and whether the request may succeed later. */
export interface NetworkFailure {
  readonly reason: string
  readonly isTemporary: boolean
}

const temporary = (reason: string): NetworkFailure => ({ reason, isTemporary: true })
const permanent = (reason: string): NetworkFailure => ({ reason, isTemporary: false })

const UNTRUSTED = permanent('its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the file of your CA')

const FAILURES: Readonly<Record<string, NetworkFailure>> = {
  ENOTFOUND: temporary('the host is unknown'),
  EAI_AGAIN: temporary('the name server does not respond'),
  ECONNREFUSED: temporary('the connection was refused'),
  ECONNRESET: temporary('the connection was closed'),
  EPIPE: temporary('the connection was closed'),
  UND_ERR_SOCKET: temporary('the connection was closed'),
  ETIMEDOUT: temporary('it did not respond in time'),
  UND_ERR_CONNECT_TIMEOUT: temporary('it did not respond in time'),
  UND_ERR_HEADERS_TIMEOUT: temporary('it did not respond in time'),
  UND_ERR_BODY_TIMEOUT: temporary('it did not respond in time'),
  ENETUNREACH: temporary('the network cannot be reached'),
  EHOSTUNREACH: temporary('the host cannot be reached'),
  EPROTO: permanent('it does not speak TLS'),
  ERR_SSL_WRONG_VERSION_NUMBER: permanent('it does not speak TLS'),
  ERR_SSL_PACKET_LENGTH_TOO_LONG: permanent('it does not speak TLS'),
  CERT_HAS_EXPIRED: permanent('its certificate has expired'),
  ERR_TLS_CERT_ALTNAME_INVALID: permanent('its certificate is for another host'),
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_INVALID_URL: permanent('the proxy is not a valid address; check HTTPS_PROXY and HTTP_PROXY'),
  UND_ERR_INVALID_ARG: permanent('the proxy is not a valid address; check HTTPS_PROXY and HTTP_PROXY'),
}

/**
 * Explains an error of a connection by its code. The error's own message is never shown: it may contain a URL with a secret.
 *
 * @example
 * explainNetworkError(error)   // { reason: 'the connection was refused', isTemporary: true }
 */
export function explainNetworkError(error: unknown): NetworkFailure {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause.name === 'TimeoutError') return temporary('it did not respond in time')
    const proxyStatus = /^Proxy response \((\d{3})\)|Proxy Authentication Required \((407)\)/.exec(cause.message)
    if (proxyStatus) return explainProxy(Number(proxyStatus[1] ?? proxyStatus[2]))
    const known = FAILURES[codeOf(cause)]
    if (known) return known
  }
  const code = error instanceof Error ? codeOf(error) : ''
  return temporary(code === '' ? 'the connection failed' : `the connection failed (${code})`)
}

function explainProxy(status: number): NetworkFailure {
  if (status === 407) return permanent('the proxy requires a user name and a password; set them in HTTPS_PROXY')
  const reason = `the proxy refused the request (HTTP ${status})`
  return status >= 500 ? temporary(reason) : permanent(reason)
}

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : ''
}
