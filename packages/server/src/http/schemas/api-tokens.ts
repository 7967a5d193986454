import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { SCOPES } from '../../releases/token.js'
import { NOT_BLANK, partOf } from './schema.js'

const PROPERTIES = {
  id: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'array', items: { type: 'string' }, description: 'What the token may do.' },
  created_at: { type: 'string', description: 'RFC 3339, UTC.' },
  created_by: { type: 'string', description: 'The e-mail address of the administrator who created it, or `operator`.' },
  expires_at: {
    type: ['string', 'null'],
    description: 'RFC 3339, UTC. Null for a token of the operator that does not expire.',
  },
  last_used_at: { type: ['string', 'null'], description: 'To the minute; null if the token was never used.' },
} as const

const REQUIRED = ['id', 'name', 'scopes', 'created_at', 'created_by', 'expires_at', 'last_used_at'] as const

const EXAMPLE = {
  id: '6cc81bd4-f321-46cf-b126-781d298729c2',
  name: 'audit export',
  scopes: ['audit:read'],
  created_at: '2026-12-01T10:00:00.000Z',
  created_by: 'alice@acme.com',
  expires_at: '2027-12-01T00:00:00.000Z',
  last_used_at: null,
} as const

/** A token in the response of `GET /v1/org/tokens`. */
export const API_TOKEN = {
  $id: 'ApiToken',
  type: 'object',
  description: 'An API token of a machine.',
  required: REQUIRED,
  additionalProperties: false,
  properties: PROPERTIES,
  examples: [EXAMPLE],
} as const satisfies JSONSchema

/** The response of `GET /v1/org/tokens`. */
export const API_TOKEN_LIST = {
  $id: 'ApiTokenList',
  type: 'object',
  description: 'The tokens that were not revoked, the newest first.',
  required: ['tokens'],
  additionalProperties: false,
  properties: { tokens: { type: 'array', items: partOf(API_TOKEN) } },
  examples: [{ tokens: [EXAMPLE] }],
} as const satisfies JSONSchema

/** The response of `POST /v1/org/tokens`. */
export const ISSUED_API_TOKEN = {
  $id: 'IssuedApiToken',
  type: 'object',
  description: 'A new token. It is shown only once.',
  required: [...REQUIRED, 'token'],
  additionalProperties: false,
  properties: { ...PROPERTIES, token: { type: 'string', description: 'Send it as `Authorization: Bearer <token>`.' } },
  examples: [{ ...EXAMPLE, token: 'omen_5mCTRVrLtbLuLNxHgyGcXbRZyhRMdVKqxbSrMDfhyWEa' }],
} as const satisfies JSONSchema

/** The body of `POST /v1/org/tokens`. */
export const API_TOKEN_REQUEST = {
  $id: 'ApiTokenRequest',
  type: 'object',
  description: 'The token to create.',
  required: ['name', 'scopes', 'expires_at'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100, pattern: NOT_BLANK, description: 'What the token is for.' },
    scopes: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { type: 'string', enum: SCOPES },
      description: 'What the token may do.',
    },
    expires_at: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'When the token expires: RFC 3339 with a time zone, at most 366 days ahead.',
    },
  },
  examples: [{ name: 'audit export', scopes: ['audit:read'], expires_at: '2027-12-01T00:00:00Z' }],
} as const satisfies JSONSchema

export type ApiTokenBody = FromSchema<typeof API_TOKEN_REQUEST>

export const API_TOKEN_MESSAGES = [API_TOKEN, API_TOKEN_LIST, ISSUED_API_TOKEN, API_TOKEN_REQUEST] as const
