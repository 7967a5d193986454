/** What a connection that fails means, and whether another try can help. */
export interface NetworkProblem {
  readonly reason: string
  readonly isPassing: boolean
}

const passing = (reason: string): NetworkProblem => ({ reason, isPassing: true })
const lasting = (reason: string): NetworkProblem => ({ reason, isPassing: false })

const UNTRUSTED = lasting('its certificate is not trusted; name your CA in NODE_EXTRA_CA_CERTS')

const PROBLEMS: Readonly<Record<string, NetworkProblem>> = {
  ENOTFOUND: passing('the host is not known'),
  EAI_AGAIN: passing('the name server does not answer'),
  ECONNREFUSED: passing('the connection was refused'),
  ECONNRESET: passing('the connection was closed'),
  EPIPE: passing('the connection was closed'),
  UND_ERR_SOCKET: passing('the connection was closed'),
  ETIMEDOUT: passing('it did not answer in time'),
  UND_ERR_CONNECT_TIMEOUT: passing('it did not answer in time'),
  UND_ERR_HEADERS_TIMEOUT: passing('it did not answer in time'),
  UND_ERR_BODY_TIMEOUT: passing('it did not answer in time'),
  ENETUNREACH: passing('the network cannot be reached'),
  EHOSTUNREACH: passing('the host cannot be reached'),
  EPROTO: lasting('it does not speak TLS'),
  ERR_SSL_WRONG_VERSION_NUMBER: lasting('it does not speak TLS'),
  ERR_SSL_PACKET_LENGTH_TOO_LONG: lasting('it does not speak TLS'),
  CERT_HAS_EXPIRED: lasting('its certificate has expired'),
  ERR_TLS_CERT_ALTNAME_INVALID: lasting('its certificate is for another host'),
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  ERR_INVALID_URL: lasting('a proxy in the environment is not an address; check HTTPS_PROXY and HTTP_PROXY'),
  UND_ERR_INVALID_ARG: lasting('a proxy in the environment is not an address; check HTTPS_PROXY and HTTP_PROXY'),
}

/**
 * Explains an error of a connection by its code. What the error itself says is never passed on: it may quote the address
 * with its secret.
 *
 * @example
 * explainNetworkError(error)   // { reason: 'the connection was refused', isPassing: true }
 */
export function explainNetworkError(error: unknown): NetworkProblem {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause.name === 'TimeoutError') return passing('it did not answer in time')
    const proxyStatus = /^Proxy response \((\d{3})\)|Proxy Authentication Required \((407)\)/.exec(cause.message)
    if (proxyStatus) return explainProxy(Number(proxyStatus[1] ?? proxyStatus[2]))
    const known = PROBLEMS[codeOf(cause)]
    if (known) return known
  }
  const code = error instanceof Error ? codeOf(error) : ''
  return passing(code === '' ? 'the connection failed' : `the connection failed (${code})`)
}

function explainProxy(status: number): NetworkProblem {
  if (status === 407) return lasting('the proxy wants a user and a password; set them in HTTPS_PROXY')
  const reason = `the proxy refused it (HTTP ${status})`
  return status >= 500 ? passing(reason) : lasting(reason)
}

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : ''
}
