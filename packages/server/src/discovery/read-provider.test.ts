import { describe, expect, test } from 'vitest'
import { readProvider } from './read-provider.js'
import { readUrl } from './read-url.js'
import { issuerOf } from './well-known-url.js'

interface Published {
  readonly url: string
  readonly issuer: string
  /** The base URL of the endpoints, and the other members of the document. */
  readonly base: string
  readonly members: Readonly<Record<string, unknown>>
  readonly methods: readonly string[]
  readonly algorithms: readonly string[]
}

const BOTH = ['client_secret_basic', 'client_secret_post']

/** The peculiarities of the configurations that well-known identity providers publish. */
const PUBLISHED: Readonly<Record<string, Published>> = {
  'Okta, organization': {
    url: 'https://acme.okta.com/.well-known/openid-configuration',
    issuer: 'https://acme.okta.com',
    base: 'https://acme.okta.com/oauth2/v1',
    members: {
      response_types_supported: [
        'code',
        'id_token',
        'code id_token',
        'code token',
        'id_token token',
        'code id_token token',
      ],
      grant_types_supported: ['authorization_code', 'implicit', 'refresh_token', 'password'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: [...BOTH, 'client_secret_jwt', 'private_key_jwt', 'none'],
      code_challenge_methods_supported: ['S256'],
    },
    methods: BOTH,
    algorithms: ['RS256'],
  },
  'Okta, custom server (RFC 8414)': {
    url: 'https://acme.okta.com/oauth2/default/.well-known/oauth-authorization-server',
    issuer: 'https://acme.okta.com/oauth2/default',
    base: 'https://acme.okta.com/oauth2/default/v1',
    members: {
      response_types_supported: ['code', 'token', 'id_token'],
      token_endpoint_auth_methods_supported: [...BOTH, 'none'],
      code_challenge_methods_supported: ['S256'],
    },
    methods: BOTH,
    algorithms: ['RS256'],
  },
  'Entra ID': {
    url: 'https://login.microsoftonline.com/6f1e22aa-0000-0000-0000-000000000000/v2.0/.well-known/openid-configuration',
    issuer: 'https://login.microsoftonline.com/6f1e22aa-0000-0000-0000-000000000000/v2.0',
    base: 'https://login.microsoftonline.com/6f1e22aa-0000-0000-0000-000000000000/oauth2/v2.0',
    members: {
      response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    },
    methods: BOTH,
    algorithms: ['RS256'],
  },
  'Entra ID, first version': {
    url: 'https://sts.windows.net/6f1e22aa-0000-0000-0000-000000000000/.well-known/openid-configuration',
    issuer: 'https://sts.windows.net/6f1e22aa-0000-0000-0000-000000000000/',
    base: 'https://login.microsoftonline.com/6f1e22aa-0000-0000-0000-000000000000/oauth2',
    members: {
      response_types_supported: ['code', 'id_token', 'code id_token', 'token id_token', 'token'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    },
    methods: BOTH,
    algorithms: ['RS256'],
  },
  Google: {
    url: 'https://accounts.google.com/.well-known/openid-configuration',
    issuer: 'https://accounts.google.com',
    base: 'https://oauth2.googleapis.com',
    members: {
      response_types_supported: ['code', 'token', 'id_token', 'code token', 'code id_token', 'none'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      code_challenge_methods_supported: ['plain', 'S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    },
    methods: BOTH,
    algorithms: ['RS256'],
  },
  Keycloak: {
    url: 'https://sso.acme.com/realms/acme/.well-known/openid-configuration',
    issuer: 'https://sso.acme.com/realms/acme',
    base: 'https://sso.acme.com/realms/acme/protocol/openid-connect',
    members: {
      response_types_supported: ['code', 'none', 'id_token', 'token', 'code id_token'],
      id_token_signing_alg_values_supported: ['PS384', 'RS384', 'EdDSA', 'ES384', 'HS256', 'ES256', 'RS256', 'none'],
      token_endpoint_auth_methods_supported: ['private_key_jwt', ...BOTH, 'tls_client_auth', 'client_secret_jwt'],
      code_challenge_methods_supported: ['plain', 'S256'],
    },
    methods: BOTH,
    algorithms: ['PS384', 'RS384', 'EdDSA', 'ES384', 'ES256', 'RS256'],
  },
  Auth0: {
    url: 'https://acme.eu.auth0.com/.well-known/openid-configuration',
    issuer: 'https://acme.eu.auth0.com/',
    base: 'https://acme.eu.auth0.com',
    members: {
      response_types_supported: ['code', 'token', 'id_token', 'code token', 'code id_token'],
      id_token_signing_alg_values_supported: ['HS256', 'RS256', 'PS256'],
      token_endpoint_auth_methods_supported: [...BOTH, 'private_key_jwt'],
      code_challenge_methods_supported: ['S256', 'plain'],
    },
    methods: BOTH,
    algorithms: ['RS256', 'PS256'],
  },
  PingOne: {
    url: 'https://auth.pingone.eu/b5f0c8aa-0000-0000-0000-000000000000/as/.well-known/openid-configuration',
    issuer: 'https://auth.pingone.eu/b5f0c8aa-0000-0000-0000-000000000000/as',
    base: 'https://auth.pingone.eu/b5f0c8aa-0000-0000-0000-000000000000/as',
    members: {
      response_types_supported: ['code', 'id_token', 'token id_token', 'code id_token'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: [...BOTH, 'client_secret_jwt', 'private_key_jwt'],
    },
    methods: BOTH,
    algorithms: ['RS256'],
  },
  OneLogin: {
    url: 'https://acme.onelogin.com/oidc/2/.well-known/openid-configuration',
    issuer: 'https://acme.onelogin.com/oidc/2',
    base: 'https://acme.onelogin.com/oidc/2',
    members: {
      response_types_supported: ['code', 'id_token token', 'id_token'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: [...BOTH, 'none'],
    },
    methods: BOTH,
    algorithms: ['RS256'],
  },
  JumpCloud: {
    url: 'https://oauth.id.jumpcloud.com/.well-known/openid-configuration',
    issuer: 'https://oauth.id.jumpcloud.com/',
    base: 'https://oauth.id.jumpcloud.com/oauth2',
    members: {
      response_types_supported: ['code', 'code id_token', 'id_token', 'token id_token', 'token'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'none'],
      grant_types_supported: ['authorization_code', 'implicit', 'client_credentials', 'refresh_token'],
    },
    methods: BOTH,
    algorithms: ['RS256'],
  },
}

describe('the configuration that is published by', () => {
  test.each(Object.entries(PUBLISHED))('%s can be used', (_, { url, issuer, base, members, methods, algorithms }) => {
    const endpoints = { authorization_endpoint: `${base}/a`, token_endpoint: `${base}/t`, jwks_uri: `${base}/k` }
    const { provider, findings } = readProvider(
      { issuer, ...endpoints, ...members },
      {
        wellKnownUrl: url,
        issuer: issuerOf(new URL(url)) ?? '',
        readUrl: (text) => readUrl(text, { allowInsecure: false }),
      },
    )
    expect(findings).toEqual([])
    expect(provider).toMatchObject({ issuer, clientAuthMethods: methods, signingAlgorithms: algorithms })
  })
})
