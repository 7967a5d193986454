import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { text } from 'node:stream/consumers'
import type { OpenedTransaction } from '@omen/server/api'

export const CODE = 'K7QF2M-9XTR4B'
export const SECRET = 's3cr3t~Value_0123456789'
export const TRANSACTION = '7Yd3k2mPqRsTuVwXyZ1234'
const CALLBACK = '/v1/auth/callback/5b0e6a52-7f0c-4c1d-9a0e-1f2d3c4b5a69'

/** The strictest content security policy under which the pages have to work. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const KINDS: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export interface TestResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The response is delayed until this resolves. */
  readonly after?: Promise<void>
}

export interface Received {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, string>> | undefined
}

export interface TestService {
  readonly url: string
  /** Every request to the API, in the order of arrival. */
  readonly received: Received[]
  /** Sets the response to the next request to the API. */
  next(response: TestResponse): void
  /** The content of `/v1/setup.json`; without it, 404. */
  setup: unknown
  /** The result of the test sign-in. */
  testResult: unknown
  close(): Promise<void>
}

/**
 * The onboarding API in memory, with the pages as the real server sends them.
 *
 * @example
 * const service = await startService(folder)
 * service.next(problem(429, 'rate_limited', 'Too many attempts.', { headers: { 'retry-after': '30' } }))
 */
export async function startService(folder: string, prefix = ''): Promise<TestService> {
  const received: Received[] = []
  const planned: TestResponse[] = []
  const state: { setup: unknown; testResult: unknown } = { setup: undefined, testResult: { status: 'none' } }
  const server = createServer((request, response) => {
    void respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}${prefix}`

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const path = (request.url ?? '/').slice(prefix.length)
    if (path === '/v1/setup.json') {
      return send(response, state.setup === undefined ? { status: 404 } : { status: 200, body: state.setup })
    }
    if (!path.startsWith('/v1/')) return sendFile(response, folder, path)
    const sent = await text(request)
    const got = {
      method: request.method ?? '',
      path,
      authorization: request.headers.authorization,
      body: sent === '' ? undefined : JSON.parse(sent),
    }
    received.push(got)
    const reply = planned.shift() ?? defaultResponse(got, url, state.testResult)
    if (got.method === 'POST' && got.path.endsWith('/test') && reply.status === 200) {
      state.testResult = { status: 'pending', detail: 'Open the address of the test in a browser and sign in.' }
    }
    await reply.after
    send(response, reply)
  }

  return {
    url: `${url}/`,
    received,
    next: (response) => void planned.push(response),
    get setup() {
      return state.setup
    },
    set setup(value) {
      state.setup = value
    },
    get testResult() {
      return state.testResult
    },
    set testResult(value) {
      state.testResult = value
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * An error response of the API.
 *
 * @example
 * problem(401, 'invalid_code', 'This code is unknown.')
 */
export function problem(
  status: number,
  code: string,
  detail: string,
  more: { readonly errors?: readonly unknown[]; readonly headers?: Readonly<Record<string, string>> } = {},
): TestResponse {
  const body = {
    type: `urn:omen:${code}`,
    title: `Title of ${code}`,
    status,
    detail,
    code,
    ...(more.errors && { errors: more.errors }),
  }
  return { status, body, headers: { 'content-type': 'application/problem+json', ...more.headers } }
}

/** The response to the request that opens a transaction. It expires 48 hours after the start of every test. */
export function openedTransaction(transaction_id: string, sign_in_uri: string): OpenedTransaction {
  return { transaction_id, sign_in_uri, expires_at: '2026-12-03T10:00:00.000Z' }
}

/** A token whose last day is 31 December 2026. */
export const TOKEN = tokenOf('0191d3a0-code')

export function tokenOf(subject: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'ES256', kid: 'k1' })}.${part({ sub: subject, exp: Date.UTC(2027, 0, 1) / 1000 })}.${'s'.repeat(86)}`
}

function defaultResponse(request: Received, url: string, testResult: unknown): TestResponse {
  if (request.path.startsWith('/v1/auth/validate')) {
    return request.path.endsWith(`=${CODE}`)
      ? { status: 200, body: { token: TOKEN } }
      : problem(401, 'invalid_code', 'This code is unknown. Check it, or ask the operator for a new one.')
  }
  if (!request.authorization?.startsWith('Bearer ey')) return problem(401, 'missing_token', 'Send the token.')
  if (request.path === '/v1/api/oauth') {
    return { status: 200, body: openedTransaction(TRANSACTION, `${url}${CALLBACK}`) }
  }
  if (request.path === `/v1/api/oauth/${TRANSACTION}/onboard`) {
    const body = { status: 'completed', login_url: `${url}/v1/auth/login`, app_url: url }
    return request.body?.client_secret === SECRET
      ? { status: 200, body }
      : problem(
          422,
          'client_rejected',
          'acme.okta.com rejects this client ID or secret (invalid_client). Copy both again.',
        )
  }
  if (request.path === `/v1/api/oauth/${TRANSACTION}/test`) {
    return { status: 200, body: request.method === 'POST' ? { test_url: `${url}/omen.svg` } : testResult }
  }
  return problem(404, 'not_found', 'No such address.')
}

/** Sends a response of the API. */
export function send(response: ServerResponse, { status, body, headers }: TestResponse) {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
  response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))
}

/** Sends a file of the pages, with the content security policy. */
export async function sendFile(response: ServerResponse, folder: string, path: string) {
  const name = normalize(new URL(path, 'http://x').pathname)
  try {
    const bytes = await readFile(join(folder, name === '/' ? 'index.html' : name))
    response.writeHead(200, {
      'content-type': KINDS[extname(name)] ?? KINDS['.html'],
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
    })
    response.end(bytes)
  } catch {
    response.writeHead(404).end()
  }
}
