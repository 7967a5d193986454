import { type Failure, isRecord, NO_ANSWER, OFFLINE, readFailure, unreadable } from './failure.js'
import type {
  Completion,
  CompletionRequest,
  ConnectionRequest,
  OpenedTransaction,
  SetupFile,
  SignInTest,
  SignInTestResult,
} from './messages.js'

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

/** The onboarding API, as the page uses it. No method rejects: what goes wrong is part of the answer. */
export interface Service {
  /** The address of a path of the API, for showing it. */
  address(path: string): string
  exchangeCode(code: string): Promise<Answer<{ readonly token: string }>>
  openTransaction(token: string, request: ConnectionRequest): Promise<Answer<OpenedTransaction>>
  complete(token: string, transactionId: string, request: CompletionRequest): Promise<Answer<Completion>>
  startTest(token: string, transactionId: string, request: CompletionRequest): Promise<Answer<SignInTest>>
  readTest(token: string, transactionId: string): Promise<Answer<SignInTestResult>>
  readSetup(): Promise<SetupFile>
}

export interface ServiceOptions {
  /** The folder that the page was loaded from, with a slash at the end. */
  readonly base: string
  readonly fetch: typeof fetch
  readonly now: () => Date
}

/** Longer than the service gives itself: an answer that comes late is better than one that nobody heard. */
const LONGEST_CALL = 70_000

interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly token?: string
  readonly body?: unknown
}

/**
 * Connects to the onboarding API beside the page.
 *
 * @example
 * const service = connectService({ base: document.baseURI, fetch, now: () => new Date() })
 * const answer = await service.exchangeCode('K7QF2M-9XTR4B')
 */
export function connectService({ base, fetch: send, now }: ServiceOptions): Service {
  const address = (path: string) => new URL(path, base).href
  const transaction = (id: string, what: string) => `v1/api/oauth/${encodeURIComponent(id)}/${what}`

  async function call<T>({ method, path, token, body }: Call, read: (body: unknown) => T | undefined) {
    let response: Response
    try {
      response = await send(address(path), {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        cache: 'no-store',
        credentials: 'same-origin',
        redirect: 'error',
        signal: AbortSignal.timeout(LONGEST_CALL),
      })
    } catch (error) {
      return failed(error instanceof DOMException && error.name === 'TimeoutError' ? NO_ANSWER : OFFLINE)
    }
    const answer = await readJson(response)
    if (!response.ok) return failed(readFailure(response.status, answer, response.headers, now()))
    const value = read(answer)
    return value === undefined ? failed(unreadable()) : { ok: true as const, value }
  }

  return {
    address,
    exchangeCode: (code) =>
      call({ method: 'GET', path: `v1/auth/validate?code=${encodeURIComponent(code)}` }, (body) =>
        hasTexts(body, ['token']) ? { token: body.token } : undefined,
      ),
    openTransaction: (token, request) =>
      call({ method: 'POST', path: 'v1/api/oauth', token, body: request }, (body) =>
        hasTexts(body, ['sign_in_uri', 'transaction_id'])
          ? {
              sign_in_uri: body.sign_in_uri,
              transaction_id: body.transaction_id,
              ...(hasTexts(body, ['expires_at']) && { expires_at: body.expires_at }),
            }
          : undefined,
      ),
    complete: (token, id, request) =>
      call({ method: 'POST', path: transaction(id, 'onboard'), token, body: request }, (body) =>
        hasTexts(body, ['login_url', 'app_url']) ? { login_url: body.login_url, app_url: body.app_url } : undefined,
      ),
    startTest: (token, id, request) =>
      call({ method: 'POST', path: transaction(id, 'test'), token, body: request }, (body) =>
        hasTexts(body, ['test_url']) && isWebAddress(body.test_url) ? { test_url: body.test_url } : undefined,
      ),
    readTest: (token, id) => call({ method: 'GET', path: transaction(id, 'test'), token }, readTestResult),
    readSetup: async () => {
      const answer = await call({ method: 'GET', path: 'v1/setup.json' }, readSetupFile)
      const own = base.replace(/\/+$/, '')
      return answer.ok ? answer.value : { base_url: own, app_url: own, test_sign_in: false }
    },
  }
}

function failed(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

function hasTexts<K extends string>(body: unknown, names: readonly K[]): body is Readonly<Record<K, string>> {
  return isRecord(body) && names.every((name) => typeof body[name] === 'string')
}

/** An address that may become a link. Anything else, `javascript:` above all, must not. */
export function isWebAddress(text: string): boolean {
  const scheme = URL.canParse(text) ? new URL(text).protocol : ''
  return scheme === 'https:' || scheme === 'http:'
}

function readSetupFile(body: unknown): SetupFile | undefined {
  if (!isRecord(body) || typeof body.base_url !== 'string' || typeof body.app_url !== 'string') return undefined
  return { base_url: body.base_url, app_url: body.app_url, test_sign_in: body.test_sign_in === true }
}

const TEST_STATES: readonly string[] = ['none', 'pending', 'passed', 'failed']

function readTestResult(body: unknown): SignInTestResult | undefined {
  if (!hasTexts(body, ['status']) || !TEST_STATES.includes(body.status)) return undefined
  const status = body.status as SignInTestResult['status']
  return {
    status,
    ...(hasTexts(body, ['email']) && { email: body.email }),
    ...(hasTexts(body, ['detail']) && { detail: body.detail }),
  }
}
