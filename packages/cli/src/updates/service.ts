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
import type { Limits } from './limits.js'

/** What is newest, as the service says it. */
export interface Latest {
  readonly text: string
  readonly etag: string | undefined
}

/** An omen-server, as far as updates need it. Everything rejects with a `Failure` that names what was asked for. */
export interface Service {
  readonly url: URL
  /** `unchanged` when what has that tag is still the newest. */
  latest(etag: string | undefined, signal?: AbortSignal): Promise<Latest | 'unchanged'>
  /** The keys that sign releases, as JSON. */
  keys(): Promise<string>
  /** A small file in whole; `name` stands in messages. */
  small(url: URL, name: string, signal?: AbortSignal): Promise<Buffer>
  /**
   * The beginning of an answer with a status of 200, 206 or 416; the body is the caller's to read. Rejects with the error of
   * a connection as it is: asking again for the rest can help.
   */
  open(url: URL, name: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<NetworkResponse>
  close(): void
}

export interface ServiceOptions {
  /** `service.url`; a name and password in it are sent as such, where there is no token. */
  readonly url: string
  /** Tokens of the service. */
  readonly tokens: TokenSource | undefined
  readonly env: Environment
  readonly limits: Pick<Limits, 'answer'>
}

/** What is newest and the keys are a few kilobytes. */
const LONGEST_ANSWER = 256 * 1024

/** A service that moved within its host; more than that goes in circles. */
const MOST_REDIRECTS = 3

const ADVICE: Readonly<Record<number, string>> = {
  401: 'the token in .ruletoken is not accepted: sign in with omen login, or put another one there',
  403: 'the token in .ruletoken does not allow it',
  404: 'it is not there',
  429: 'too many requests: try again later',
}

/**
 * Makes ready to talk to an omen-server. Nothing is contacted, and nothing loaded, before something is asked for.
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

  async function get(target: URL, { headers, token }: Asking, signal: AbortSignal) {
    opening ??= openConnection(env)
    const connection = await opening
    const own = target.origin === url.origin ? authorizationFor(credentials, token) : {}
    return connection.request({ url: target, method: 'GET', headers: { ...HEADERS, ...own, ...headers }, signal })
  }

  /** Follows redirects within the service, and none to elsewhere. */
  async function follow(target: URL, name: string, asking: Asking, signal: AbortSignal) {
    let next = target
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      if (next.origin !== url.origin) throw elsewhere(name, next, url)
      const answer = await get(next, asking, signal)
      const location = answer.status >= 300 && answer.status < 400 && answer.status !== 304 && answer.header('location')
      if (!location) return answer
      if (!URL.canParse(location, next.href)) break
      next = new URL(location, next)
    }
    throw new Failure('Network', `${name}: the service redirects in circles: check service.url`)
  }

  /** A token that is not good any more is renewed, once. */
  async function ask(target: URL, name: string, { headers, token }: Asking, signal: AbortSignal) {
    const answer = await follow(target, name, { headers, token }, signal)
    if (answer.status !== 401 || token === undefined) return answer
    const other = await tokens?.renewed(token, signal)
    return other === undefined ? answer : follow(target, name, { headers, token: other }, signal)
  }

  async function read(
    target: URL,
    name: string,
    { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal | undefined } = {},
  ) {
    // Renewing a token has its own limits.
    const token = await tokens?.current(signal)
    const deadline = startDeadline({ total: limits.answer, idle: limits.answer }, signal)
    try {
      const answer = await ask(target, name, { headers, token }, deadline.signal)
      if (answer.status === 304 && 'if-none-match' in headers) return 'unchanged' as const
      if (answer.status !== 200) throw refusal(name, answer.status)
      const bytes = await unlessAborted(readAll(answer.body, name, LONGEST_ANSWER), deadline.signal)
      return { bytes, etag: answer.header('etag') }
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
    async small(target, name, signal) {
      const found = await read(target, name, { signal })
      return found === 'unchanged' ? Buffer.alloc(0) : found.bytes
    },
    async open(target, name, headers, signal) {
      const answer = await ask(target, name, { headers, token: await tokens?.current(signal) }, signal)
      if ([200, 206, 416].includes(answer.status)) return answer
      throw refusal(name, answer.status)
    },
    close() {
      void opening?.then((connection) => connection.close())
    },
  }
}

/** What goes along with a request. */
interface Asking {
  readonly headers: Readonly<Record<string, string>>
  readonly token: string | undefined
}

const HEADERS = {
  'user-agent': `omen/${VERSION}`,
  // What is signed are the bytes of the file as they lie at the service.
  'accept-encoding': 'identity',
}

function elsewhere(name: string, { origin }: URL, url: URL): Failure {
  return new Failure('Network', `${name}: refused, because it leads to ${origin} and not to ${url.origin}`)
}

function refusal(name: string, status: number): Failure {
  const advice = ADVICE[status] ?? (status >= 500 ? 'the service is in trouble: try again later' : undefined)
  return new Failure('Network', `${name}: HTTP ${status}${advice ? `: ${advice}` : ''}`)
}

/** What goes wrong on the way, in words; what is said already stays as it is. */
function explain(error: unknown, name: string): unknown {
  if (error instanceof Failure) return error
  return new Failure('Network', `${name}: ${explainNetworkError(error).reason}`, { cause: error })
}
