/** The body of `POST /v1/api/oauth`. */
export interface ConnectionRequest {
  readonly well_known_url: string
  readonly domain: string
  readonly org_name: string
}

export interface OpenedTransaction {
  readonly sign_in_uri: string
  readonly transaction_id: string
  /** RFC 3339. Null from older servers: 48 hours after the response. */
  readonly expires_at: string | null
}

/** The body of `POST /v1/api/oauth/<transaction_id>/onboard`. */
export interface CompletionRequest {
  readonly client_id: string
  readonly client_secret: string
}

export interface Completion {
  readonly login_url: string
  readonly app_url: string
}

/** The response to `POST /v1/api/oauth/<transaction_id>/test`: where to sign in for the test. */
export interface SignInTest {
  readonly test_url: string
}

/** The response to `GET /v1/api/oauth/<transaction_id>/test`. */
export interface SignInTestResult {
  /** `none`: no test was started for this transaction. */
  readonly status: 'none' | 'pending' | 'passed' | 'failed'
  /** The user who signed in, once the test has an outcome. */
  readonly email: string | null
  /** Why the test failed and what to change; while it is pending, what to do. */
  readonly detail: string | null
}

/** `/v1/setup.json`: the facts about the server that the page needs. */
export interface SetupFile {
  readonly base_url: string
  readonly app_url: string
  /** Whether the server supports a test sign-in. */
  readonly test_sign_in: boolean
}
