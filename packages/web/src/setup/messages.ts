/** The body of `POST /v1/api/oauth`. */
export interface ConnectionRequest {
  readonly well_known_url: string
  readonly domain: string
  readonly org_name: string
}

export interface OpenedTransaction {
  readonly sign_in_uri: string
  readonly transaction_id: string
  /** RFC 3339. Older servers do not say it; without it, 48 hours from the answer. */
  readonly expires_at?: string
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

/** The answer to `POST /v1/api/oauth/<transaction_id>/test`: where one person signs in to try the connection. */
export interface SignInTest {
  readonly test_url: string
}

/** The answer to `GET /v1/api/oauth/<transaction_id>/test`. */
export interface SignInTestResult {
  /** `none`: no test was started for this transaction. */
  readonly status: 'none' | 'pending' | 'passed' | 'failed'
  /** Who signed in, once somebody has. */
  readonly email?: string
  /** What went wrong and what to change; while it is pending, what to do. */
  readonly detail?: string
}

/** `/v1/setup.json`: what the page has to know about the server that it talks to. */
export interface SetupFile {
  readonly base_url: string
  readonly app_url: string
  /** Whether the server can try a sign-in before the connection counts. */
  readonly test_sign_in: boolean
}
