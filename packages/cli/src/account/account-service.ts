import { Failure } from '../failure.js'
import { authorizationFor, isPrivate } from '../network/authorization.js'
import {
  type Connection,
  type Environment,
  type NetworkResponse,
  openConnection,
  readAll,
  startDeadline,
  unlessAborted,
} from '../network/connection.js'
import { explainNetworkError } from '../network/network-error.js'
import { VERSION } from '../version.js'
import {
  type DeviceAuthorization,
  type OAuthError,
  readDeviceAuthorization,
  readOAuthError,
  readSessionEnd,
  readTokenResponse,
  readUser,
  type Tokens,
  type User,
} from './read-responses.js'
import { identityOf } from './service-address.js'

/** A failed request that may succeed later. */
export interface TemporaryFailure {
  readonly failure: string
  /** Milliseconds to wait, if the service asks for it. */
  readonly pause: number | undefined
}

/** The sign-in API of an omen-server. Methods reject with a `Failure` that names the service if a retry cannot help. */
export interface AccountService {
  readonly url: URL
  begin(signal?: AbortSignal): Promise<DeviceAuthorization>
  exchange(deviceCode: string, signal?: AbortSignal): Promise<Tokens | OAuthError | TemporaryFailure>
  refresh(refreshToken: string): Promise<Tokens | OAuthError | TemporaryFailure>
  revoke(token: string): Promise<void>
  /** The user of the token; `refused` if the token is not valid, or no longer valid. */
  user(accessToken: string): Promise<User | 'refused'>
  /** When the session of the token ends, in milliseconds since 1970; undefined if the service does not say. */
  sessionEnd(accessToken: string): Promise<number | undefined>
  close(): void
}

export interface AccountServiceOptions {
  readonly url: URL
  readonly env: Environment
  /** Milliseconds for one request. */
  readonly timeout?: number
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Most responses have a few hundred bytes, and a list of sessions a few kilobytes. */
const MAX_RESPONSE_BYTES = 256 * 1024

const DEFAULT_TIMEOUT = 10_000

/** Seconds: a user waits at the terminal. */
const MAX_RETRY_AFTER = 60

/**
 * Opens the sign-in API of an omen-server. The first request loads the HTTP client and connects. Redirects are not followed,
 * because the requests contain secrets.
 *
 * @example
 * const service = openAccountService({ url: new URL('https://omen.example.com'), env: process.env })
 * try { const { userCode, uri } = await service.begin() } finally { service.close() }
 */
export function openAccountService({ url, env, timeout = DEFAULT_TIMEOUT }: AccountServiceOptions): AccountService {
  if (!isPrivate(url)) {
    throw new Failure(
      'Config',
      `${identityOf(url)}: tokens are sent only over https:// or to this machine: use https://`,
    )
  }
  const { host } = url
  let opening: Promise<Connection> | undefined
  const failure = (what: string) => new Failure('Network', `${host}: ${what}`)

  async function send(request: Request, signal?: AbortSignal): Promise<Reply | TemporaryFailure> {
    const deadline = startDeadline({ total: timeout, idle: timeout }, signal)
    try {
      opening ??= openConnection(env)
      const response = await (await opening).request({ ...describe(request, url), signal: deadline.signal })
      if (response.status >= 300 && response.status < 400) throw failure(redirection(response))
      if (response.status === 429 || response.status >= 500) {
        return { failure: `HTTP ${response.status}`, pause: retryAfter(response.header('retry-after')) }
      }
      const bytes = await unlessAborted(readAll(response.body, host, MAX_RESPONSE_BYTES), deadline.signal)
      return { status: response.status, content: parse(bytes) }
    } catch (error) {
      if (error instanceof Failure) throw error
      if (signal?.aborted) throw signal.reason
      const { reason, isTemporary } = explainNetworkError(error)
      if (!isTemporary) throw failure(reason)
      return { failure: reason, pause: undefined }
    } finally {
      deadline.stop()
    }
  }

  /** Rejects also with a temporary failure. */
  async function sendNow(request: Request, advice = 'try again later', signal?: AbortSignal): Promise<Reply> {
    const reply = await send(request, signal)
    if ('failure' in reply) throw failure(`${reply.failure}: ${advice}`)
    return reply
  }

  async function requestTokens(form: Readonly<Record<string, string>>, signal?: AbortSignal) {
    const reply = await send({ path: '/v1/auth/token', form }, signal)
    if ('failure' in reply) return reply
    const result = reply.status === 200 ? readTokenResponse(reply.content) : readOAuthError(reply.content)
    if (result) return result
    throw failure(`HTTP ${reply.status}: this is not the response of an omen-server`)
  }

  return {
    url,
    async begin(signal) {
      const advice = 'check the address, or try again later'
      const { status, content } = await sendNow({ path: '/v1/auth/device', form: {} }, advice, signal)
      if (status !== 200) throw failure(`HTTP ${status}: it does not offer to sign in: is it an omen-server?`)
      const device = readDeviceAuthorization(content, url)
      if (device) return device
      throw failure('this is not the response of an omen-server, or the address of its sign-in page is not safe')
    },
    exchange: (device_code, signal) => requestTokens({ grant_type: DEVICE_GRANT, device_code }, signal),
    refresh: (refresh_token) => requestTokens({ grant_type: 'refresh_token', refresh_token }),
    async revoke(token) {
      const { status } = await sendNow({ path: '/v1/auth/revoke', form: { token } })
      if (status !== 200) throw failure(`HTTP ${status}`)
    },
    async user(token) {
      const { status, content } = await sendNow({ path: '/v1/me', token })
      if (status === 401) return 'refused'
      const user = status === 200 ? readUser(content) : undefined
      if (user) return user
      throw failure(`HTTP ${status}: it does not name the user: is it an omen-server?`)
    },
    async sessionEnd(token) {
      const { status, content } = await sendNow({ path: '/v1/sessions', token })
      return status === 200 ? readSessionEnd(content) : undefined
    },
    close() {
      void opening?.then((connection) => connection.close())
    },
  }
}

interface Request {
  readonly path: string
  /** Sent as a POST request. */
  readonly form?: Readonly<Record<string, string>>
  readonly token?: string
}

interface Reply {
  readonly status: number
  /** The JSON body; undefined if it is not valid. */
  readonly content: unknown
}

function describe({ path, form, token }: Request, service: URL) {
  const headers = {
    'user-agent': `omen/${VERSION} (${process.platform}-${process.arch})`,
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...authorizationFor(service, token),
  }
  const url = new URL(`${identityOf(service)}${path}`)
  if (!form) return { url, method: 'GET', headers } as const
  const body = new URLSearchParams(form).toString()
  return {
    url,
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  } as const
}

function redirection(response: NetworkResponse): string {
  const location = response.header('location') ?? ''
  const to = URL.canParse(location) ? ` to ${new URL(location).origin}` : ''
  return `it redirects${to}, which omen does not follow: use the address of the omen-server itself`
}

function retryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), MAX_RETRY_AFTER) * 1000 : undefined
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
