import { Failure } from '../failure.js'
import { authorizationFor, keepsSecrets } from '../network/authorization.js'
import {
  type Connection,
  type Environment,
  type NetworkAnswer,
  openConnection,
  unlessAborted,
} from '../network/connection.js'
import { startDeadline } from '../network/deadline.js'
import { explainNetworkError } from '../network/network-error.js'
import { readAll } from '../network/read-all.js'
import { VERSION } from '../version.js'
import {
  type DeviceAuthorization,
  type Person,
  type Refusal,
  readDeviceAuthorization,
  readEnd,
  readPerson,
  readRefusal,
  readTokenAnswer,
  type Tokens,
} from './read-answers.js'
import { identityOf } from './service-address.js'

/** Something that passes: asking again later can help. */
export interface Trouble {
  readonly trouble: string
  /** Milliseconds that the service wants to be left alone. */
  readonly pause: number | undefined
}

/** An omen-server, as far as signing in needs it. Rejects with a `Failure` that names the service for what asking again cannot help. */
export interface AccountService {
  readonly url: URL
  begin(signal?: AbortSignal): Promise<DeviceAuthorization>
  exchange(deviceCode: string, signal?: AbortSignal): Promise<Tokens | Refusal | Trouble>
  refresh(refreshToken: string): Promise<Tokens | Refusal | Trouble>
  revoke(token: string): Promise<void>
  /** Who has the token; `refused` when it is not good, or not any more. */
  person(accessToken: string): Promise<Person | 'refused'>
  /** When the sign-in of the token ends, in milliseconds since 1970; undefined where the service does not say. */
  end(accessToken: string): Promise<number | undefined>
  close(): void
}

export interface AccountServiceOptions {
  readonly url: URL
  readonly env: Environment
  /** Milliseconds for one answer. */
  readonly limit?: number
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Answers are a few hundred bytes, and a list of sessions a few kilobytes. */
const LONGEST_ANSWER = 256 * 1024

const USUAL_LIMIT = 10_000

/** Nobody is told to come back tomorrow while somebody waits at a terminal. */
const LONGEST_PAUSE = 60

/**
 * Makes ready to sign in at an omen-server. Nothing is contacted, and nothing loaded, before something is asked for. No redirect
 * is followed: what is sent is secret.
 *
 * @example
 * const service = openAccountService({ url: new URL('https://omen.example.com'), env: process.env })
 * try { const { userCode, uri } = await service.begin() } finally { service.close() }
 */
export function openAccountService({ url, env, limit = USUAL_LIMIT }: AccountServiceOptions): AccountService {
  if (!keepsSecrets(url)) {
    throw new Failure('Config', `${identityOf(url)}: tokens go over https:// alone, or to this machine: use https://`)
  }
  const { host } = url
  let opening: Promise<Connection> | undefined
  const wrong = (what: string) => new Failure('Network', `${host}: ${what}`)

  async function send(request: Request, signal?: AbortSignal): Promise<Reply | Trouble> {
    const deadline = startDeadline({ total: limit, idle: limit }, signal)
    try {
      opening ??= openConnection(env)
      const answer = await (await opening).request({ ...describe(request, url), signal: deadline.signal })
      if (answer.status >= 300 && answer.status < 400) throw wrong(redirection(answer))
      if (answer.status === 429 || answer.status >= 500) {
        return { trouble: `HTTP ${answer.status}`, pause: pauseOf(answer.header('retry-after')) }
      }
      const bytes = await unlessAborted(readAll(answer.body, host, LONGEST_ANSWER), deadline.signal)
      return { status: answer.status, content: parse(bytes) }
    } catch (error) {
      if (error instanceof Failure) throw error
      if (signal?.aborted) throw signal.reason
      const { reason, isPassing } = explainNetworkError(error)
      if (!isPassing) throw wrong(reason)
      return { trouble: reason, pause: undefined }
    } finally {
      deadline.stop()
    }
  }

  /** What has to work now. */
  async function sendNow(request: Request, advice = 'try again later', signal?: AbortSignal): Promise<Reply> {
    const reply = await send(request, signal)
    if ('trouble' in reply) throw wrong(`${reply.trouble}: ${advice}`)
    return reply
  }

  async function askForTokens(form: Readonly<Record<string, string>>, signal?: AbortSignal) {
    const reply = await send({ path: '/v1/auth/token', form }, signal)
    if ('trouble' in reply) return reply
    const answer = reply.status === 200 ? readTokenAnswer(reply.content) : readRefusal(reply.content)
    if (answer) return answer
    throw wrong(`HTTP ${reply.status}: it does not answer as an omen-server does`)
  }

  return {
    url,
    async begin(signal) {
      const advice = 'check the address, or try again later'
      const { status, content } = await sendNow({ path: '/v1/auth/device', form: {} }, advice, signal)
      if (status !== 200) throw wrong(`HTTP ${status}: nobody can sign in there: is it an omen-server?`)
      const device = readDeviceAuthorization(content, url)
      if (device) return device
      throw wrong('it does not answer as an omen-server does, or sends people to an address that is not safe')
    },
    exchange: (device_code, signal) => askForTokens({ grant_type: DEVICE_GRANT, device_code }, signal),
    refresh: (refresh_token) => askForTokens({ grant_type: 'refresh_token', refresh_token }),
    async revoke(token) {
      const { status } = await sendNow({ path: '/v1/auth/revoke', form: { token } })
      if (status !== 200) throw wrong(`HTTP ${status}`)
    },
    async person(token) {
      const { status, content } = await sendNow({ path: '/v1/me', token })
      if (status === 401) return 'refused'
      const person = status === 200 ? readPerson(content) : undefined
      if (person) return person
      throw wrong(`HTTP ${status}: it does not say who is signed in: is it an omen-server?`)
    },
    async end(token) {
      const { status, content } = await sendNow({ path: '/v1/sessions', token })
      return status === 200 ? readEnd(content) : undefined
    },
    close() {
      void opening?.then((connection) => connection.close())
    },
  }
}

interface Request {
  readonly path: string
  /** Posted, where there is one. */
  readonly form?: Readonly<Record<string, string>>
  readonly token?: string
}

interface Reply {
  readonly status: number
  /** Undefined where it is no JSON. */
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

function redirection(answer: NetworkAnswer): string {
  const location = answer.header('location') ?? ''
  const to = URL.canParse(location) ? ` to ${new URL(location).origin}` : ''
  return `it redirects${to}, which is not followed: give the address of the omen-server itself`
}

function pauseOf(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter)
    ? Math.min(Number(retryAfter), LONGEST_PAUSE) * 1000
    : undefined
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
