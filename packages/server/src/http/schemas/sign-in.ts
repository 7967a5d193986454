import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** The response of `GET /v1/me`. */
export const ME = {
  $id: 'Me',
  type: 'object',
  description: 'The signed-in user.',
  required: ['email', 'name', 'org'],
  additionalProperties: false,
  properties: {
    email: { type: 'string', description: 'The e-mail address that the identity provider has verified.' },
    name: { type: 'string', description: 'The name, or the address if the identity provider sends no name.' },
    org: {
      type: 'object',
      description: 'The organization: `name`, and the e-mail `domain` of the address.',
      required: ['name', 'domain'],
      additionalProperties: false,
      properties: { name: { type: 'string' }, domain: { type: 'string' } },
    },
  },
  examples: [{ email: 'alice@acme.com', name: 'Alice', org: { name: 'Acme', domain: 'acme.com' } }],
} as const satisfies JSONSchema

export type MeBody = FromSchema<typeof ME>

/** The response of `GET /v1/sessions`. */
export const SESSION_LIST = {
  $id: 'SessionList',
  type: 'object',
  description: 'The sessions of the user, the latest first.',
  required: ['sessions'],
  additionalProperties: false,
  properties: {
    sessions: {
      type: 'array',
      description: 'Browsers and tools. `current` marks the session of this request; times are RFC 3339.',
      items: {
        type: 'object',
        required: ['id', 'kind', 'current', 'address', 'agent', 'created_at', 'last_seen_at', 'expires_at'],
        additionalProperties: false,
        properties: {
          id: { type: 'string' },
          kind: { type: 'string', enum: ['browser', 'tool'] },
          current: { type: 'boolean' },
          address: { type: 'string' },
          agent: { type: 'string' },
          created_at: { type: 'string' },
          last_seen_at: { type: 'string' },
          expires_at: { type: 'string' },
        },
      },
    },
  },
  examples: [
    {
      sessions: [
        {
          id: '6cc81bd4-f321-46cf-b126-781d298729c2',
          kind: 'browser',
          current: true,
          address: '203.0.113.7',
          agent: 'Mozilla/5.0 (X11; Linux x86_64)',
          created_at: '2026-12-01T10:00:00.000Z',
          last_seen_at: '2026-12-01T11:30:00.000Z',
          expires_at: '2026-12-08T10:00:00.000Z',
        },
      ],
    },
  ],
} as const satisfies JSONSchema

export type SessionListBody = FromSchema<typeof SESSION_LIST>

/** The parameters of `DELETE /v1/sessions/<id>`. */
export const SESSION_PARAMS = {
  type: 'object',
  required: ['id'],
  properties: {
    id: {
      type: 'string',
      description: 'The `id` in the list.',
      examples: ['6cc81bd4-f321-46cf-b126-781d298729c2'],
    },
  },
} as const satisfies JSONSchema

export type SessionParams = FromSchema<typeof SESSION_PARAMS>

/** The response of `DELETE /v1/sessions/<id>`. */
export const SESSION_END = {
  $id: 'SessionEnd',
  type: 'object',
  description: 'The session has ended.',
  required: ['status'],
  additionalProperties: false,
  properties: { status: { type: 'string', const: 'ended' } },
  examples: [{ status: 'ended' }],
} as const satisfies JSONSchema

/** The response of `POST /v1/auth/logout`. */
export const SIGNED_OUT = {
  $id: 'SignedOut',
  type: 'object',
  description: 'The session has ended.',
  required: ['status'],
  additionalProperties: false,
  properties: {
    status: { type: 'string', const: 'signed_out' },
    logout_url: {
      type: 'string',
      description:
        'The address at which the browser also ends the session at the identity provider, if it supports that.',
    },
  },
  examples: [{ status: 'signed_out', logout_url: 'https://acme.okta.com/oauth2/v1/logout?client_id=0oa1b2c3d4' }],
} as const satisfies JSONSchema

export type SignedOutBody = FromSchema<typeof SIGNED_OUT>

/** The response of `POST /v1/auth/device`. */
export const DEVICE_AUTHORIZATION = {
  $id: 'DeviceAuthorization',
  type: 'object',
  description: 'The codes of a device authorization (RFC 8628).',
  required: ['device_code', 'user_code', 'verification_uri', 'verification_uri_complete', 'expires_in', 'interval'],
  additionalProperties: false,
  properties: {
    device_code: { type: 'string', description: 'For the tool only. Keep it secret.' },
    user_code: { type: 'string', description: 'For the user, to compare or to type.' },
    verification_uri: { type: 'string', description: 'The address at which the user types it.' },
    verification_uri_complete: {
      type: 'string',
      description: 'The same address with the code, for links and QR codes.',
    },
    expires_in: { type: 'integer', description: 'Seconds until the codes expire.' },
    interval: { type: 'integer', description: 'Seconds to wait between two requests for the tokens.' },
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

/** The response of `POST /v1/auth/token`. */
export const TOOL_TOKENS = {
  $id: 'ToolTokens',
  type: 'object',
  description: 'The tokens of a tool. Each refresh token can be used once.',
  required: ['access_token', 'token_type', 'expires_in', 'refresh_token'],
  additionalProperties: false,
  properties: {
    access_token: { type: 'string', description: 'Send it as `Authorization: Bearer <token>`. Keep it secret.' },
    token_type: { type: 'string', const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Seconds until the access token expires.' },
    refresh_token: { type: 'string', description: 'To get the next tokens, with `grant_type=refresh_token`.' },
  },
  examples: [{ access_token: 'omen_at_…', token_type: 'Bearer', expires_in: 3600, refresh_token: 'omen_rt_…' }],
} as const satisfies JSONSchema

/** The response of `POST /v1/auth/revoke`. */
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
    'Why there are no tokens: `authorization_pending` (try again after the interval), `slow_down` (add five seconds to the interval), `expired_token`, `access_denied`, `invalid_grant`, `invalid_request`, `unsupported_grant_type`.',
  required: ['error', 'error_description'],
  additionalProperties: false,
  properties: {
    error: { type: 'string', description: 'Stable: programs can depend on it.' },
    error_description: { type: 'string', description: 'For humans.' },
  },
  examples: [{ error: 'authorization_pending', error_description: 'The sign-in has not been approved yet.' }],
} as const satisfies JSONSchema
