import type { Requester } from '../audit/audit.js'
import type { Clock } from '../clock.js'
import type { Discovery } from '../discovery/provider.js'
import type { Keys } from '../keys/keys.js'
import type { CallbackRequest, TestOutcome } from '../organizations/sign-in-test.js'
import type { Urls } from '../organizations/urls.js'
import type { SignIn } from '../signin/create-sign-in.js'
import type { Database } from '../store/database.js'
import { complete } from './complete.js'
import { authenticate, exchangeCode } from './exchange-code.js'
import { openTransaction } from './open-transaction.js'
import { beginTest, finishTest } from './run-test.js'
import { readTest, startTest } from './start-test.js'

export interface OnboardingDeps {
  readonly database: Database
  readonly keys: Keys
  readonly discovery: Discovery
  readonly signIn: SignIn
  readonly clock: Clock
  readonly urls: Urls
}

/** The body of `POST /v1/api/oauth`, after its schema has been checked. */
export interface ConnectionRequest {
  readonly well_known_url: string
  readonly domain: string
  readonly org_name: string
}

export interface OpenedTransaction {
  readonly sign_in_uri: string
  readonly transaction_id: string
  /** RFC 3339. */
  readonly expires_at: string
}

/** The body of `POST /v1/api/oauth/<transaction_id>/onboard`. */
export interface CompletionRequest {
  readonly client_id: string
  readonly client_secret: string
}

export interface Completion {
  readonly status: 'completed'
  readonly login_url: string
  readonly app_url: string
}

/** The response to `POST /v1/api/oauth/<transaction_id>/test`. */
export interface StartedTest {
  /** Where one user signs in to test the connection. */
  readonly test_url: string
  /** RFC 3339. */
  readonly expires_at: string
}

/** The response to `GET /v1/api/oauth/<transaction_id>/test`. */
export interface TestReport {
  readonly status: 'none' | 'pending' | 'passed' | 'failed'
  readonly email?: string
  /** What to do next. */
  readonly detail?: string
  /** When the test ended, RFC 3339. */
  readonly at?: string
}

/** The steps of onboarding (docs/protocol.md, section 1). Every method rejects with a `Problem`. */
export interface Onboarding {
  /** Exchanges a code for an onboarding token. */
  exchangeCode(code: string, requester: Requester): Promise<{ readonly token: string }>
  /** Opens a transaction for an identity provider. `token` is the value after `Bearer`. */
  openTransaction(
    token: string | undefined,
    request: ConnectionRequest,
    requester: Requester,
  ): Promise<OpenedTransaction>
  /** Completes a transaction with the client of the identity provider. */
  complete(
    token: string | undefined,
    transactionId: string,
    request: CompletionRequest,
    requester: Requester,
  ): Promise<Completion>
  /** Starts a test sign-in before the completion. It can be repeated. */
  startTest(
    token: string | undefined,
    transactionId: string,
    request: CompletionRequest,
    requester: Requester,
  ): Promise<StartedTest>
  readTest(token: string | undefined, transactionId: string): Promise<TestReport>
  /** Gives the URL at the identity provider. `browser` is the cookie that binds the test to the browser. */
  beginTest(link: string, browser: string): Promise<string>
  /** Handles a browser that comes back. Rejects with a `Problem` if it was not sent by `beginTest`. */
  finishTest(callback: CallbackRequest, requester: Requester): Promise<TestOutcome>
}

/**
 * Onboarding on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const onboarding = createOnboarding({ database, keys, discovery, signIn, clock: () => new Date(), urls: settings })
 * const { token } = await onboarding.exchangeCode('K7QF2M-9XTR4B', requester)
 */
export function createOnboarding(deps: OnboardingDeps): Onboarding & { authenticate(token: string): Promise<void> } {
  return {
    exchangeCode: (code, requester) => exchangeCode(deps, code, requester),
    openTransaction: (token, request, requester) => openTransaction(deps, token, request, requester),
    authenticate: (token) => authenticate(deps, token),
    complete: (token, id, request, requester) => complete(deps, token, id, request, requester),
    startTest: (token, id, request, requester) => startTest(deps, token, id, request, requester),
    readTest: (token, id) => readTest(deps, token, id),
    beginTest: (link, browser) => beginTest(deps, link, browser),
    finishTest: (callback, requester) => finishTest(deps, callback, requester),
  }
}
