import { type ClientOptions, createSender, isWebUrl, type Result } from '../api/request.js'
import { nullable, oneOf, type Reader, shape, string } from '../api/shape.js'
import type {
  Completion,
  CompletionRequest,
  ConnectionRequest,
  OpenedTransaction,
  SetupFile,
  SignInTest,
  SignInTestResult,
} from './messages.js'

/** The onboarding API. No method rejects: a failure is part of the result. */
export interface Service {
  /** The URL of a path of the API, to show it. */
  url(path: string): string
  exchangeCode(code: string): Promise<Result<{ readonly token: string }>>
  openTransaction(token: string, body: ConnectionRequest): Promise<Result<OpenedTransaction>>
  complete(token: string, transactionId: string, body: CompletionRequest): Promise<Result<Completion>>
  startTest(token: string, transactionId: string, body: CompletionRequest): Promise<Result<SignInTest>>
  readTest(token: string, transactionId: string): Promise<Result<SignInTestResult>>
  readSetup(): Promise<Result<SetupFile>>
}

const webUrl: Reader<string> = (value) => (typeof value === 'string' && isWebUrl(value) ? value : undefined)

const readToken = shape({ token: string })
const readTransaction = shape({ sign_in_uri: string, transaction_id: string, expires_at: nullable(string) })
const readCompletion = shape({ login_url: string, app_url: string })
const readTestUrl = shape({ test_url: webUrl })
const readTestResult = shape({
  status: oneOf('none', 'pending', 'passed', 'failed'),
  email: nullable(string),
  detail: nullable(string),
})
const readSetupFile = shape({ base_url: string, app_url: string, test_sign_in: (value) => value === true })

/**
 * Connects to the onboarding API of the folder that the page was loaded from.
 *
 * @example
 * const service = connectService({ base: document.baseURI, fetch, now: () => new Date() })
 * const result = await service.exchangeCode('K7QF2M-9XTR4B')
 */
export function connectService(options: ClientOptions): Service {
  const send = createSender(options)
  const transaction = (id: string, what: string) => `v1/api/oauth/${encodeURIComponent(id)}/${what}`
  return {
    url: (path) => new URL(path, options.base).href,
    exchangeCode: (code) =>
      send({ method: 'GET', path: `v1/auth/validate?code=${encodeURIComponent(code)}` }, readToken),
    openTransaction: (token, body) => send({ method: 'POST', path: 'v1/api/oauth', token, body }, readTransaction),
    complete: (token, id, body) =>
      send({ method: 'POST', path: transaction(id, 'onboard'), token, body }, readCompletion),
    startTest: (token, id, body) => send({ method: 'POST', path: transaction(id, 'test'), token, body }, readTestUrl),
    readTest: (token, id) => send({ method: 'GET', path: transaction(id, 'test'), token }, readTestResult),
    readSetup: () => send({ method: 'GET', path: 'v1/setup.json' }, readSetupFile),
  }
}
