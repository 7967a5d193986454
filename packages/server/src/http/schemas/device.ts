import type { JSONSchema } from 'json-schema-to-ts'

/** The answer of `POST /v1/auth/device`. */
export const DEVICE_AUTHORIZATION = {
  $id: 'DeviceAuthorization',
  type: 'object',
  description: 'What the tool shows, and what it comes back with (RFC 8628).',
  required: ['device_code', 'user_code', 'verification_uri', 'verification_uri_complete', 'expires_in', 'interval'],
  additionalProperties: false,
  properties: {
    device_code: { type: 'string', description: 'For the tool alone. Keep it secret.' },
    user_code: { type: 'string', description: 'For the person, to compare or to type.' },
    verification_uri: { type: 'string', description: 'Where the person types it.' },
    verification_uri_complete: { type: 'string', description: 'The same with the code in it, for links and QR codes.' },
    expires_in: { type: 'integer', description: 'Seconds until it is over.' },
    interval: { type: 'integer', description: 'Seconds to wait between two questions.' },
  },
  examples: [
    {
      device_code: '5mCTRVrLtbLuLNxHgyGcXbRZyhRMdVKqxbSrMDfhyWE',
      user_code: 'WDJB-MJHT',
      verification_uri: 'https://omen.example.com/device',
      verification_uri_complete: 'https://omen.example.com/device?user_code=WDJB-MJHT',
      expires_in: 900,
      interval: 5,
    },
  ],
} as const satisfies JSONSchema

/** The answer of `POST /v1/auth/token`. */
export const TOOL_TOKENS = {
  $id: 'ToolTokens',
  type: 'object',
  description: 'The tokens of a tool. Each refresh token is good once.',
  required: ['access_token', 'token_type', 'expires_in', 'refresh_token'],
  additionalProperties: false,
  properties: {
    access_token: { type: 'string', description: 'Send it as `Authorization: Bearer <token>`. Keep it secret.' },
    token_type: { type: 'string', const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Seconds until the access token is over.' },
    refresh_token: { type: 'string', description: 'For the next tokens, with `grant_type=refresh_token`.' },
  },
  examples: [{ access_token: 'omen_at_…', token_type: 'Bearer', expires_in: 3600, refresh_token: 'omen_rt_…' }],
} as const satisfies JSONSchema

/** The answer of `POST /v1/auth/revoke`. */
export const REVOKED = {
  $id: 'Revoked',
  type: 'object',
  description: 'The token no longer works.',
  required: ['status'],
  additionalProperties: false,
  properties: { status: { type: 'string', const: 'revoked' } },
  examples: [{ status: 'revoked' }],
} as const satisfies JSONSchema

/** Errors in the form of OAuth (RFC 6749), which clients of these endpoints know. */
export const OAUTH_ERROR = {
  $id: 'OAuthError',
  type: 'object',
  description:
    'Why there are no tokens: `authorization_pending` (ask again after the interval), `slow_down` (and five seconds later from now on), `expired_token`, `access_denied`, `invalid_grant`, `invalid_request`, `unsupported_grant_type`.',
  required: ['error', 'error_description'],
  additionalProperties: false,
  properties: {
    error: { type: 'string', description: 'Stable: programs can depend on it.' },
    error_description: { type: 'string', description: 'For people.' },
  },
  examples: [{ error: 'authorization_pending', error_description: 'Nobody has approved it yet.' }],
} as const satisfies JSONSchema
