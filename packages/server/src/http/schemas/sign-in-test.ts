import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** The answer of `POST /v1/api/oauth/<transaction_id>/test`. */
export const SIGN_IN_TEST = {
  $id: 'SignInTest',
  type: 'object',
  description: 'Where one person signs in, once, to try the connection. Whoever has the address can open it.',
  required: ['test_url', 'expires_at'],
  additionalProperties: false,
  properties: {
    test_url: { type: 'string', description: 'Open it in a browser. It works until the test is over.' },
    expires_at: { type: 'string', description: 'When the test is over at the latest (RFC 3339): after 15 minutes.' },
  },
  examples: [
    {
      test_url: 'https://omen.example.com/v1/auth/test/5mCTRVrLtbLuLNxHgyGcXbRZyhRMdVKqxbSrMDfhyWE',
      expires_at: '2026-12-01T10:15:00.000Z',
    },
  ],
} as const satisfies JSONSchema

export type SignInTestBody = FromSchema<typeof SIGN_IN_TEST>

/** The answer of `GET /v1/api/oauth/<transaction_id>/test`. */
export const SIGN_IN_TEST_REPORT = {
  $id: 'SignInTestReport',
  type: 'object',
  description: 'What has come of the latest test of this transaction.',
  required: ['status'],
  additionalProperties: false,
  properties: {
    status: {
      type: 'string',
      enum: ['none', 'pending', 'passed', 'failed'],
      description: '`none`: no test was started; `pending`: nobody has come back from the identity provider yet.',
    },
    email: { type: 'string', description: 'Who signed in, once somebody has.' },
    detail: { type: 'string', description: 'What went wrong and what to change; while it is pending, what to do.' },
    at: { type: 'string', description: 'When it was over (RFC 3339).' },
  },
  examples: [{ status: 'passed', email: 'alice@acme.com', at: '2026-12-01T10:02:11.000Z' }],
} as const satisfies JSONSchema

export type SignInTestReportBody = FromSchema<typeof SIGN_IN_TEST_REPORT>
