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

/** The answer to `POST /v1/api/oauth/<transaction_id>/test`. */
export interface StartedTest {
  /** Where one person signs in, to try the connection. */
  readonly test_url: string
  /** RFC 3339. */
  readonly expires_at: string
}

/** The answer to `GET /v1/api/oauth/<transaction_id>/test`. */
export interface TestReport {
  readonly status: 'none' | 'pending' | 'passed' | 'failed'
  readonly email?: string
  /** What to do next. */
  readonly detail?: string
  /** When it was over, RFC 3339. */
  readonly at?: string
}

/** A browser that comes back from an identity provider. */
export interface Return {
  /** The last part of the address. */
  readonly callbackId: string
  readonly query: URLSearchParams
  /** The cookie that binds the browser. */
  readonly browser: string | undefined
}

/** What came of a test, for the page that is shown. */
export type TestOutcome =
  | { readonly status: 'passed'; readonly email: string }
  /** `reason` is stable; it stands in the log. */
  | { readonly status: 'failed'; readonly reason: string; readonly detail: string }

/** Who makes a request, for the audit record. */
export interface Caller {
  /** The address, as far as it can be believed. */
  readonly address: string
  readonly requestId: string
}

/** The four steps of onboarding. Every method rejects with a `Problem` of the error table. */
export interface Onboarding {
  /** Step 1: a code for an onboarding token. */
  exchangeCode(code: string, caller: Caller): Promise<{ readonly token: string }>
  /** Step 2: an identity provider for a sign-in URI and a transaction. `token` is what followed `Bearer`. */
  openTransaction(token: string | undefined, request: ConnectionRequest, caller: Caller): Promise<OpenedTransaction>
  /** Step 4: the client for a connection. */
  complete(
    token: string | undefined,
    transactionId: string,
    request: CompletionRequest,
    caller: Caller,
  ): Promise<Completion>
  /** Before step 4, as often as one likes: the client for the address of a sign-in that counts for nothing. */
  startTest(
    token: string | undefined,
    transactionId: string,
    request: CompletionRequest,
    caller: Caller,
  ): Promise<StartedTest>
  /** What has come of it. */
  readTest(token: string | undefined, transactionId: string): Promise<TestReport>
  /** The browser at that address: gives where it goes. `browser` is the cookie that binds it from here on. */
  beginTest(link: string, browser: string): Promise<string>
  /** The browser comes back. Rejects with a `Problem` when it is none that was sent. */
  finishTest(back: Return, caller: Caller): Promise<TestOutcome>
}
