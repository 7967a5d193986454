import { isRecord } from '../api/failure.js'
import { type Answer, type CallerOptions, createCall, isWebAddress } from '../api/request.js'
import type {
  Completion,
  CompletionRequest,
  ConnectionRequest,
  OpenedTransaction,
  SetupFile,
  SignInTest,
  SignInTestResult,
} from './messages.js'

/** The onboarding API, as the page uses it. No method rejects: what goes wrong is part of the answer. */
export interface Service {
  /** The address of a path of the API, for showing it. */
  address(path: string): string
  exchangeCode(code: string): Promise<Answer<{ readonly token: string }>>
  openTransaction(token: string, request: ConnectionRequest): Promise<Answer<OpenedTransaction>>
  complete(token: string, transactionId: string, request: CompletionRequest): Promise<Answer<Completion>>
  startTest(token: string, transactionId: string, request: CompletionRequest): Promise<Answer<SignInTest>>
  readTest(token: string, transactionId: string): Promise<Answer<SignInTestResult>>
  readSetup(): Promise<Answer<SetupFile>>
}

/**
 * Connects to the onboarding API beside the page.
 *
 * @example
 * const service = connectService({ base: document.baseURI, fetch, now: () => new Date() })
 * const answer = await service.exchangeCode('K7QF2M-9XTR4B')
 */
export function connectService(options: CallerOptions): Service {
  const { base } = options
  const call = createCall(options)
  const address = (path: string) => new URL(path, base).href
  const transaction = (id: string, what: string) => `v1/api/oauth/${encodeURIComponent(id)}/${what}`

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
    readSetup: () => call({ method: 'GET', path: 'v1/setup.json' }, readSetupFile),
  }
}

function hasTexts<K extends string>(body: unknown, names: readonly K[]): body is Readonly<Record<K, string>> {
  return isRecord(body) && names.every((name) => typeof body[name] === 'string')
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
