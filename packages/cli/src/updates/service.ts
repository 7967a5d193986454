import type { TokenSource } from '../account/token-source.js'
import { Failure } from '../failure.js'
import { authorizationFor } from '../network/authorization.js'
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

/** Time limits in milliseconds. */
export interface Limits {
  /** How long a scan waits for a check, from its start. */
  readonly wait: number
  /** The same if no rules are installed: without them the scan could find nothing. */
  readonly waitWithoutRules: number
  /** A whole small response: announcement, keys, signatures. */
  readonly response: number
  /** A download without new bytes. */
  readonly idle: number
  /** A whole download. The next run continues it. */
  readonly download: { readonly rules: number; readonly tool: number }
  /** After a failure, scans send no request for this long, so that a broken service does not slow down every scan. */
  readonly retry: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND

export const LIMITS: Limits = {
  wait: 300,
  waitWithoutRules: 5 * SECOND,
  response: 10 * SECOND,
  idle: 15 * SECOND,
  download: { rules: 2 * MINUTE, tool: 30 * MINUTE },
  retry: 10 * MINUTE,
}

/** The response of `GET /v1/rules/latest`. */
export interface Latest {
  readonly text: string
  readonly etag: string | undefined
}

/** The update API of an omen-server. Methods reject with a `Failure` that names the requested file or the host. */
export interface Service {
  readonly url: URL
  /** `unchanged` if the response with this ETag is still current. */
  latest(etag: string | undefined, signal?: AbortSignal): Promise<Latest | 'unchanged'>
  /** The public keys of releases, as JSON. */
  keys(): Promise<string>
  /** A whole small file; `name` is its name in messages. */
  readSmall(url: URL, name: string, signal?: AbortSignal): Promise<Buffer>
  /**
   * A response with status 200, 206 or 416, whose body the caller reads. Rejects with the original error of a failed connection:
   * the caller may retry.
   */
  open(url: URL, name: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<NetworkResponse>
  close(): void
}

export interface ServiceOptions {
  /** `service.url`. Its user name and password are sent if there is no token. */
  readonly url: string
  readonly tokens: TokenSource | undefined
  readonly env: Environment
  readonly limits: Pick<Limits, 'response'>
}

/** Announcements and keys have a few kilobytes. */
const MAX_RESPONSE_BYTES = 256 * 1024

const MAX_REDIRECTS = 3

const ADVICE: Readonly<Record<number, string>> = {
  401: 'the token in .ruletoken is not accepted: run omen login, or replace the token',
  403: 'the token in .ruletoken does not give access',
  404: 'not found',
  429: 'too many requests: try again later',
}

/**
 * Opens the update API of an omen-server. The first request loads the HTTP client and connects.
 *
 * @example
 * const service = openService({ url: 'https://omen.example.com', tokens: undefined, env: process.env, limits: LIMITS })
 * try { await service.latest(undefined) } finally { service.close() }
 */
export function openService({ url: given, tokens, env, limits }: ServiceOptions): Service {
  const url = new URL(given)
  const credentials = new URL(url)
  url.username = ''
  url.password = ''
  let opening: Promise<Connection> | undefined

  async function get(target: URL, { headers, token }: RequestOptions, signal: AbortSignal) {
    opening ??= openConnection(env)
    const connection = await opening
    const own = target.origin === url.origin ? authorizationFor(credentials, token) : {}
    return connection.request({ url: target, method: 'GET', headers: { ...HEADERS, ...own, ...headers }, signal })
  }

  /** Follows redirects within the origin of the service only. */
  async function follow(target: URL, name: string, options: RequestOptions, signal: AbortSignal) {
    let next = target
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (next.origin !== url.origin) throw otherOrigin(name, next, url)
      const response = await get(next, options, signal)
      const { status } = response
      const location = status >= 300 && status < 400 && status !== 304 && response.header('location')
      if (!location) return response
      if (!URL.canParse(location, next.href)) break
      next = new URL(location, next)
    }
    throw new Failure('Network', `${name}: too many redirects: check service.url`)
  }

  /** Renews a refused token once. */
  async function send(target: URL, name: string, { headers, token }: RequestOptions, signal: AbortSignal) {
    const response = await follow(target, name, { headers, token }, signal)
    if (response.status !== 401 || token === undefined) return response
    const other = await tokens?.renewed(token, signal)
    return other === undefined ? response : follow(target, name, { headers, token: other }, signal)
  }

  async function read(
    target: URL,
    name: string,
    { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal | undefined } = {},
  ) {
    // Renewing a token has its own time limit.
    const token = await tokens?.current(signal)
    const deadline = startDeadline({ total: limits.response, idle: limits.response }, signal)
    try {
      const response = await send(target, name, { headers, token }, deadline.signal)
      if (response.status === 304 && 'if-none-match' in headers) return 'unchanged' as const
      if (response.status !== 200) throw statusFailure(name, response.status)
      const bytes = await unlessAborted(readAll(response.body, name, MAX_RESPONSE_BYTES), deadline.signal)
      return { bytes, etag: response.header('etag') }
    } catch (error) {
      throw explain(error, name)
    } finally {
      deadline.stop()
    }
  }

  const at = (path: string) => new URL(`${url.href.replace(/\/+$/, '')}${path}`)
  return {
    url,
    async latest(etag, signal) {
      const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag }
      const found = await read(at('/v1/rules/latest'), url.host, { headers, signal })
      return found === 'unchanged' ? found : { text: found.bytes.toString(), etag: found.etag }
    },
    async keys() {
      const found = await read(at('/v1/rules/keys'), url.host)
      return found === 'unchanged' ? '' : found.bytes.toString()
    },
    async readSmall(target, name, signal) {
      const found = await read(target, name, { signal })
      return found === 'unchanged' ? Buffer.alloc(0) : found.bytes
    },
    async open(target, name, headers, signal) {
      const response = await send(target, name, { headers, token: await tokens?.current(signal) }, signal)
      if ([200, 206, 416].includes(response.status)) return response
      throw statusFailure(name, response.status)
    },
    close() {
      void opening?.then((connection) => connection.close())
    },
  }
}

interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly token: string | undefined
}

const HEADERS = {
  'user-agent': `omen/${VERSION}`,
  // The signature is over the bytes of the uncompressed transfer.
  'accept-encoding': 'identity',
}

function otherOrigin(name: string, { origin }: URL, url: URL): Failure {
  return new Failure('Network', `${name}: refused, because it redirects to ${origin}, not to ${url.origin}`)
}

function statusFailure(name: string, status: number): Failure {
  const advice = ADVICE[status] ?? (status >= 500 ? 'the service failed: try again later' : undefined)
  return new Failure('Network', `${name}: HTTP ${status}${advice ? `: ${advice}` : ''}`)
}

/** Turns the error of a connection into a `Failure`. */
function explain(error: unknown, name: string): unknown {
  if (error instanceof Failure) return error
  return new Failure('Network', `${name}: ${explainNetworkError(error).reason}`, { cause: error })
}
