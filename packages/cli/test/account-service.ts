import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './receiver.js'

export interface AccountRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly form: Readonly<Record<string, string>>
}

/** The next response of the service: JSON with a status, or whatever a function does. */
export type AccountResponse =
  | { readonly status: number; readonly json?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | ((response: ServerResponse, request: AccountRequest) => void)

/** The sign-in API of an omen-server, with the responses of a test. */
export interface AccountServer {
  readonly url: string
  readonly host: string
  readonly requests: AccountRequest[]
  /** The responses of a path, in order; the last one is repeated. Other paths respond like a working service. */
  readonly responses: Map<string, AccountResponse[]>
  /** The forms that were posted to a path. */
  posted(path: string): readonly Readonly<Record<string, string>>[]
  /** Resolves after this number of requests for a path. */
  requested(path: string, times?: number): Promise<void>
  close(): Promise<void>
}

export const USER = { email: 'ada@acme.com', name: 'Ada Lovelace', org: { name: 'Acme', domain: 'acme.com' } }

/** A pair of tokens that contain a number. */
export function tokenResponse(number: number, expiresIn = 3600) {
  return {
    access_token: `omen_at_${number}`,
    refresh_token: `omen_rt_${number}`,
    token_type: 'Bearer',
    expires_in: expiresIn,
  }
}

export const oauthError = (error: string): AccountResponse => ({ status: 400, json: { error } })

export async function startAccountServer(): Promise<AccountServer> {
  const requests: AccountRequest[] = []
  const responses = new Map<string, AccountResponse[]>()
  const watchers = new Set<() => void>()
  let pairs = 0
  const server = createServer(async (incoming, response) => {
    const { url: path = '', headers } = incoming
    const request = { path, headers, form: Object.fromEntries(new URLSearchParams(await text(incoming))) }
    requests.push(request)
    for (const watch of watchers) watch()
    const queue = responses.get(path)
    const next = (queue && (queue.length > 1 ? queue.shift() : queue[0])) ?? workingResponse(path)
    if (typeof next === 'function') return next(response, request)
    response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers })
    response.end(next.json === undefined ? '' : JSON.stringify(next.json))
  })
  const { port, close } = await listen(server)
  const url = `http://127.0.0.1:${port}`

  function workingResponse(path: string): AccountResponse {
    const device = {
      device_code: 'the-device-code',
      user_code: 'WDJB-MJHT',
      verification_uri: `${url}/device`,
      verification_uri_complete: `${url}/device?user_code=WDJB-MJHT`,
      expires_in: 900,
      interval: 1,
    }
    const bodies: Readonly<Record<string, () => unknown>> = {
      '/v1/auth/device': () => device,
      '/v1/auth/token': () => tokenResponse(++pairs),
      '/v1/auth/revoke': () => ({ status: 'revoked' }),
      '/v1/me': () => USER,
      '/v1/sessions': () => ({ sessions: [{ current: true, expires_at: '2026-12-15T12:00:00.000Z' }] }),
      '/v1/rules/latest': () => ({}),
      '/v1/rules/keys': () => ({ keys: [] }),
    }
    const json = bodies[path]?.()
    return json === undefined ? { status: 404, json: {} } : { status: 200, json }
  }

  const count = (path: string) => requests.filter((request) => request.path === path).length
  return {
    url,
    host: `127.0.0.1:${port}`,
    requests,
    responses,
    close,
    posted: (path) => requests.filter((request) => request.path === path).map(({ form }) => form),
    requested: (path, times = 1) =>
      new Promise((resolve) => {
        const watch = () => {
          if (count(path) < times) return
          watchers.delete(watch)
          resolve()
        }
        watchers.add(watch)
        watch()
      }),
  }
}
