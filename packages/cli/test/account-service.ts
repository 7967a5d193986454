import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './receiver.js'

export interface AccountRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly form: Readonly<Record<string, string>>
}

/** What the service says next: JSON with a status, another body, or whatever a function does. */
export type AccountAnswer =
  | { readonly status: number; readonly json?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | ((response: ServerResponse, request: AccountRequest) => void)

/** An omen-server, as far as signing in needs it, that says what the test wants. */
export interface AccountServer {
  readonly url: string
  readonly host: string
  readonly requests: AccountRequest[]
  /** What is answered on a path, one after the other; the last again and again. Others answer as a good service does. */
  readonly answers: Map<string, AccountAnswer[]>
  /** The forms that were posted to a path. */
  posted(path: string): readonly Readonly<Record<string, string>>[]
  /** Resolves when so many requests for a path have come. */
  asked(path: string, times?: number): Promise<void>
  close(): Promise<void>
}

export const PERSON = { email: 'ada@acme.com', name: 'Ada Lovelace', org: { name: 'Acme', domain: 'acme.com' } }

/** Pairs of tokens are told apart by their number. */
export function tokenAnswer(number: number, expiresIn = 3600) {
  return {
    access_token: `omen_at_${number}`,
    refresh_token: `omen_rt_${number}`,
    token_type: 'Bearer',
    expires_in: expiresIn,
  }
}

export const refusal = (error: string): AccountAnswer => ({ status: 400, json: { error } })

export async function startAccountServer(): Promise<AccountServer> {
  const requests: AccountRequest[] = []
  const answers = new Map<string, AccountAnswer[]>()
  const watchers = new Set<() => void>()
  let pairs = 0
  const server = createServer(async (incoming, response) => {
    const { url: path = '', headers } = incoming
    const request = { path, headers, form: Object.fromEntries(new URLSearchParams(await text(incoming))) }
    requests.push(request)
    for (const watch of watchers) watch()
    const queue = answers.get(path)
    const answer = (queue && (queue.length > 1 ? queue.shift() : queue[0])) ?? usual(path)
    if (typeof answer === 'function') return answer(response, request)
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.json === undefined ? '' : JSON.stringify(answer.json))
  })
  const { port, close } = await listen(server)
  const url = `http://127.0.0.1:${port}`

  function usual(path: string): AccountAnswer {
    const device = {
      device_code: 'the-device-code',
      user_code: 'WDJB-MJHT',
      verification_uri: `${url}/device`,
      verification_uri_complete: `${url}/device?user_code=WDJB-MJHT`,
      expires_in: 900,
      interval: 1,
    }
    const good: Readonly<Record<string, () => unknown>> = {
      '/v1/auth/device': () => device,
      '/v1/auth/token': () => tokenAnswer(++pairs),
      '/v1/auth/revoke': () => ({ status: 'revoked' }),
      '/v1/me': () => PERSON,
      '/v1/sessions': () => ({ sessions: [{ current: true, expires_at: '2026-12-15T12:00:00.000Z' }] }),
      '/v1/rules/latest': () => ({}),
      '/v1/rules/keys': () => ({ keys: [] }),
    }
    const json = good[path]?.()
    return json === undefined ? { status: 404, json: {} } : { status: 200, json }
  }

  const count = (path: string) => requests.filter((request) => request.path === path).length
  return {
    url,
    host: `127.0.0.1:${port}`,
    requests,
    answers,
    close,
    posted: (path) => requests.filter((request) => request.path === path).map(({ form }) => form),
    asked: (path, times = 1) =>
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
