/** The body of `POST /v1/api/oauth`, after its schema has been checked. */
export interface ConnectionRequest {
  readonly well_known_url: string
  readonly domain: string
  readonly org_name: string
}

export interface OpenedTransaction {
  readonly sign_in_uri: string
  readonly transaction_id: string
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
}
