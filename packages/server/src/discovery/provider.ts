/** How a client authenticates at the token endpoint. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post'

/** The part of an identity provider's published configuration that is used, checked. */
export interface Provider {
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly jwksUri: string
  readonly userinfoEndpoint?: string
  readonly endSessionEndpoint?: string
  readonly clientAuthMethods: readonly ClientAuthMethod[]
  readonly signingAlgorithms: readonly string[]
  readonly scopes?: readonly string[]
  /** RFC 9207: the authorization response carries `iss`. */
  readonly sendsIssuer: boolean
  /** The well-known URL it was read from. */
  readonly wellKnownUrl: string
}

export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** The redirect URI that is registered for the client. */
  readonly redirectUri: string
}

/** Access to identity providers. Every request is guarded: HTTPS, public addresses, no redirects. */
export interface Discovery {
  /** Reads and checks a provider's configuration and keys. Rejects with a `Problem` of code `discovery_failed`. */
  discover(wellKnownUrl: string): Promise<Provider>
  /**
   * Checks a client at the token endpoint with a made-up code. Gives the method that worked; rejects with a `Problem` of code
   * `client_rejected` or `idp_unavailable`.
   */
  checkClient(provider: Provider, client: ClientCredentials): Promise<ClientAuthMethod>
}
