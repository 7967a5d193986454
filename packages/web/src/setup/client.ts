import type {
  Completion,
  CompletionRequest,
  ConnectionRequest,
  OnboardingToken,
  OpenedTransaction,
  Setup,
  SignInTest,
  SignInTestReport,
} from '@omen/server/api'
import { type ClientOptions, createSender, isWebUrl, type Result } from '../api/request.js'
import { boolean, oneOf, type Reader, shape, string } from '../api/shape.js'

/** Where users sign in, and where the app is, once the connection is complete. */
export type ConnectedUrls = Pick<Completion, 'login_url' | 'app_url'>

/** The onboarding API. No method rejects: a failure is part of the result. */
export interface Service {
  /** The URL of a path of the API, to show it. */
  url(path: string): string
  exchangeCode(code: string): Promise<Result<OnboardingToken>>
  openTransaction(token: string, body: ConnectionRequest): Promise<Result<OpenedTransaction>>
  complete(token: string, transactionId: string, body: CompletionRequest): Promise<Result<ConnectedUrls>>
  startTest(
    token: string,
    transactionId: string,
    body: CompletionRequest,
  ): Promise<Result<Pick<SignInTest, 'test_url'>>>
  readTest(token: string, transactionId: string): Promise<Result<SignInTestReport>>
  readSetup(): Promise<Result<Setup>>
}

const webUrl: Reader<string> = (value) => (typeof value === 'string' && isWebUrl(value) ? value : undefined)

const readToken: Reader<OnboardingToken> = shape({ token: string })
const readTransaction: Reader<OpenedTransaction> = shape({
  sign_in_uri: string,
  transaction_id: string,
  expires_at: string,
})
export const readConnectedUrls: Reader<ConnectedUrls> = shape({ login_url: string, app_url: string })
const readTestReport: Reader<SignInTestReport> = shape(
  { status: oneOf('none', 'pending', 'passed', 'failed') },
  { email: string, detail: string },
)
const readSetup: Reader<Setup> = shape({ base_url: string, app_url: string, test_sign_in: boolean })

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
      send({ method: 'POST', path: transaction(id, 'onboard'), token, body }, readConnectedUrls),
    startTest: (token, id, body) =>
      send({ method: 'POST', path: transaction(id, 'test'), token, body }, shape({ test_url: webUrl })),
    readTest: (token, id) => send({ method: 'GET', path: transaction(id, 'test'), token }, readTestReport),
    readSetup: () => send({ method: 'GET', path: 'v1/setup.json' }, readSetup),
  }
}
