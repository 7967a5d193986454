import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { NOT_BLANK } from './schema.js'

/** The query of `GET /v1/auth/validate`. */
export const EXCHANGE_QUERY = {
  type: 'object',
  required: ['code'],
  properties: {
    code: {
      type: 'string',
      minLength: 1,
      description:
        'The temporary code that the operator gave you: two groups joined by a hyphen, in upper or lower case.',
      examples: ['K7QF2M-9XTR4B'],
    },
  },
} as const satisfies JSONSchema

export type ExchangeQuery = FromSchema<typeof EXCHANGE_QUERY>

/** The response of `GET /v1/auth/validate`. */
export const ONBOARDING_TOKEN = {
  $id: 'OnboardingToken',
  type: 'object',
  description: 'A token for the next steps. It is valid until the end of the day on which the code expires (UTC).',
  required: ['token'],
  additionalProperties: false,
  properties: {
    token: { type: 'string', description: 'A JWT. Send it as `Authorization: Bearer <token>`. Keep it secret.' },
  },
  examples: [{ token: 'eyJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJvbmJvYXJkaW5nIn0.c2lnbmF0dXJl' }],
} as const satisfies JSONSchema

export type OnboardingToken = FromSchema<typeof ONBOARDING_TOKEN>

/** The body of `POST /v1/api/oauth`. */
export const CONNECTION_REQUEST = {
  $id: 'ConnectionRequest',
  type: 'object',
  description: 'The identity provider to connect. Other fields are ignored.',
  required: ['well_known_url', 'domain', 'org_name'],
  properties: {
    well_known_url: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      pattern: NOT_BLANK,
      description:
        "The URL of the identity provider's OpenID Connect (or RFC 8414) configuration. HTTPS, public address.",
    },
    domain: {
      type: 'string',
      minLength: 1,
      maxLength: 253,
      pattern: NOT_BLANK,
      description: "The organization's e-mail domain: the part of its addresses after the @.",
    },
    org_name: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern: NOT_BLANK,
      description: 'The name of the organization, as its users will see it.',
    },
  },
  examples: [
    {
      well_known_url: 'https://acme.okta.com/.well-known/openid-configuration',
      domain: 'acme.com',
      org_name: 'Acme',
    },
  ],
} as const satisfies JSONSchema

export type ConnectionBody = FromSchema<typeof CONNECTION_REQUEST>

/** The response of `POST /v1/api/oauth`. */
export const OPENED_TRANSACTION = {
  $id: 'OpenedTransaction',
  type: 'object',
  description: 'The values for the identity provider and for the last step. Valid for 48 hours.',
  required: ['sign_in_uri', 'transaction_id', 'expires_at'],
  additionalProperties: false,
  properties: {
    sign_in_uri: {
      type: 'string',
      description: 'Enter it as the sign-in redirect URI of the OAuth web application at the identity provider.',
    },
    transaction_id: { type: 'string', description: 'Part of the address of the last step.' },
    expires_at: { type: 'string', description: 'The end of the time for the last step (RFC 3339).' },
  },
  examples: [
    {
      sign_in_uri: 'https://omen.example.com/v1/auth/callback/1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b',
      transaction_id: '4fVkQQwWpcoZ7TjEXgJ3NN',
      expires_at: '2026-12-03T10:00:00.000Z',
    },
  ],
} as const satisfies JSONSchema

export type OpenedTransactionBody = FromSchema<typeof OPENED_TRANSACTION>

/** The parameters of the routes of a transaction. A malformed ID is an unknown one: 404, not 422. */
export const COMPLETION_PARAMS = {
  type: 'object',
  required: ['transaction_id'],
  properties: {
    transaction_id: {
      type: 'string',
      description: 'The `transaction_id` of step 2.',
      examples: ['4fVkQQwWpcoZ7TjEXgJ3NN'],
    },
  },
} as const satisfies JSONSchema

export type CompletionParams = FromSchema<typeof COMPLETION_PARAMS>

/** The body of `POST /v1/api/oauth/<transaction_id>/onboard`. */
export const COMPLETION_REQUEST = {
  $id: 'CompletionRequest',
  type: 'object',
  description: 'The client of the OAuth web application at the identity provider. Other fields are ignored.',
  required: ['client_id', 'client_secret'],
  properties: {
    client_id: {
      type: 'string',
      minLength: 1,
      maxLength: 4000,
      pattern: NOT_BLANK,
      description: 'The client ID that the identity provider shows for the application.',
    },
    client_secret: {
      type: 'string',
      minLength: 1,
      maxLength: 4000,
      pattern: NOT_BLANK,
      description: 'The client secret. It is checked at once, stored encrypted and never shown again.',
    },
  },
  examples: [{ client_id: '0oa1b2c3d4', client_secret: 'the secret of the application' }],
} as const satisfies JSONSchema

export type CompletionBody = FromSchema<typeof COMPLETION_REQUEST>

/** The response of `POST /v1/api/oauth/<transaction_id>/onboard`. */
export const COMPLETION = {
  $id: 'Completion',
  type: 'object',
  description: 'The connection is stored, and the code cannot be used again.',
  required: ['status', 'login_url', 'app_url'],
  additionalProperties: false,
  properties: {
    status: { type: 'string', const: 'completed' },
    login_url: { type: 'string', description: 'Enter it as the initiate login URI of the application.' },
    app_url: { type: 'string', description: 'The address of the application for users.' },
  },
  examples: [
    {
      status: 'completed',
      login_url: 'https://omen.example.com/v1/auth/login',
      app_url: 'https://app.example.com',
    },
  ],
} as const satisfies JSONSchema

export type CompletionResponse = FromSchema<typeof COMPLETION>

/** The response of `POST /v1/api/oauth/<transaction_id>/test`. */
export const SIGN_IN_TEST = {
  $id: 'SignInTest',
  type: 'object',
  description:
    'The address at which one user signs in once, to test the connection. Everybody who has the address can open it.',
  required: ['test_url', 'expires_at'],
  additionalProperties: false,
  properties: {
    test_url: { type: 'string', description: 'Open it in a browser. It works until the test ends.' },
    expires_at: { type: 'string', description: 'When the test ends at the latest (RFC 3339): after 15 minutes.' },
  },
  examples: [
    {
      test_url: 'https://omen.example.com/v1/auth/test/5mCTRVrLtbLuLNxHgyGcXbRZyhRMdVKqxbSrMDfhyWE',
      expires_at: '2026-12-01T10:15:00.000Z',
    },
  ],
} as const satisfies JSONSchema

export type SignInTestBody = FromSchema<typeof SIGN_IN_TEST>

/** The response of `GET /v1/api/oauth/<transaction_id>/test`. */
export const SIGN_IN_TEST_REPORT = {
  $id: 'SignInTestReport',
  type: 'object',
  description: 'The result of the latest test of this transaction.',
  required: ['status'],
  additionalProperties: false,
  properties: {
    status: {
      type: 'string',
      enum: ['none', 'pending', 'passed', 'failed'],
      description: '`none`: no test was started; `pending`: nobody has signed in at the identity provider yet.',
    },
    email: { type: 'string', description: 'The e-mail address of the user who signed in, after that.' },
    detail: {
      type: 'string',
      description: 'What went wrong and what to change; while the test is pending, what to do.',
    },
    at: { type: 'string', description: 'When the test ended (RFC 3339).' },
  },
  examples: [{ status: 'passed', email: 'alice@acme.com', at: '2026-12-01T10:02:11.000Z' }],
} as const satisfies JSONSchema

export type SignInTestReportBody = FromSchema<typeof SIGN_IN_TEST_REPORT>
