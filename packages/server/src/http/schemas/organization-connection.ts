import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { NOT_BLANK, partOf } from './schema.js'

const CURRENT_EXAMPLE = {
  issuer: 'https://acme.okta.com',
  well_known_url: 'https://acme.okta.com/.well-known/openid-configuration',
  client_id: '0oa1b2c3d4',
  auth_method: 'client_secret_basic',
  redirect_uri: 'https://omen.example.com/v1/auth/callback/1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b',
  initiate_login_uri: 'https://omen.example.com/v1/auth/login',
  backchannel_logout_uri: 'https://omen.example.com/v1/auth/backchannel/1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b',
  connected_at: '2026-12-01T10:00:00.000Z',
} as const

const NEXT_EXAMPLE = {
  id: '4d1f0b1e-8d0c-4b0e-9a4e-3f3a6f0d9c22',
  issuer: 'https://acme.okta.com',
  well_known_url: 'https://acme.okta.com/.well-known/openid-configuration',
  client_id: '0oa1b2c3d4',
  redirect_uri: 'https://omen.example.com/v1/auth/callback/1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b',
  status: 'passed',
  detail: null,
  tested_as: 'alice@acme.com',
  created_at: '2026-12-08T08:00:00.000Z',
  expires_at: '2026-12-10T08:00:00.000Z',
} as const

/** The connection in use. */
export const CURRENT_CONNECTION = {
  $id: 'CurrentConnection',
  type: 'object',
  description: 'The connection in use, and the addresses to enter in the application at the identity provider.',
  required: [
    'issuer',
    'well_known_url',
    'client_id',
    'auth_method',
    'redirect_uri',
    'initiate_login_uri',
    'backchannel_logout_uri',
    'connected_at',
  ],
  additionalProperties: false,
  properties: {
    issuer: { type: 'string' },
    well_known_url: { type: 'string' },
    client_id: { type: 'string' },
    auth_method: { type: 'string', description: 'How the client authenticates at the token endpoint.' },
    redirect_uri: { type: 'string' },
    initiate_login_uri: { type: 'string' },
    backchannel_logout_uri: { type: 'string' },
    connected_at: { type: 'string', description: 'RFC 3339, UTC.' },
  },
  examples: [CURRENT_EXAMPLE],
} as const satisfies JSONSchema

/** The connection that will replace it. */
export const NEXT_CONNECTION = {
  $id: 'NextConnection',
  type: 'object',
  description: 'The connection that will replace the one in use. Nobody signs in through it before the switch.',
  required: [
    'id',
    'issuer',
    'well_known_url',
    'client_id',
    'redirect_uri',
    'status',
    'detail',
    'tested_as',
    'created_at',
    'expires_at',
  ],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    issuer: { type: 'string' },
    well_known_url: { type: 'string' },
    client_id: { type: 'string' },
    redirect_uri: { type: 'string', description: 'The same as for the connection in use.' },
    status: { type: 'string', enum: ['untested', 'testing', 'passed', 'failed'] },
    detail: { type: ['string', 'null'], description: 'What to do next, or why the test failed.' },
    tested_as: { type: ['string', 'null'], description: 'The e-mail address of the user who signed in.' },
    created_at: { type: 'string', description: 'RFC 3339, UTC.' },
    expires_at: { type: 'string', description: '48 hours after it was prepared; then it is deleted. RFC 3339, UTC.' },
  },
  examples: [NEXT_EXAMPLE],
} as const satisfies JSONSchema

/** The response of `GET /v1/org/connection`. */
export const ORGANIZATION_CONNECTION = {
  $id: 'OrganizationConnection',
  type: 'object',
  description: 'The connection in use, and the one that will replace it, without secrets.',
  required: ['current', 'next'],
  additionalProperties: false,
  properties: {
    current: partOf(CURRENT_CONNECTION),
    next: { description: 'Null if no connection is prepared.', anyOf: [partOf(NEXT_CONNECTION), { type: 'null' }] },
  },
  examples: [{ current: CURRENT_EXAMPLE, next: NEXT_EXAMPLE }],
} as const satisfies JSONSchema

/** The response of `POST /v1/org/connection`. */
export const PROPOSED_CONNECTION = {
  $id: 'ProposedConnection',
  type: 'object',
  description: 'The next connection, ready to be tested.',
  required: ['next'],
  additionalProperties: false,
  properties: { next: partOf(NEXT_CONNECTION) },
  examples: [{ next: { ...NEXT_EXAMPLE, status: 'untested', tested_as: null } }],
} as const satisfies JSONSchema

/** The body of `POST /v1/org/connection`. */
export const REPLACEMENT_REQUEST = {
  $id: 'ReplacementRequest',
  type: 'object',
  description:
    'Only a new secret of the application in use; or all three fields of another application, at the same or another identity provider.',
  required: ['client_secret'],
  properties: {
    client_secret: { type: 'string', minLength: 1, maxLength: 4000, pattern: NOT_BLANK },
    client_id: { type: 'string', minLength: 1, maxLength: 4000, pattern: NOT_BLANK },
    well_known_url: { type: 'string', minLength: 1, maxLength: 2000, pattern: NOT_BLANK },
  },
  examples: [{ client_secret: 'the new secret, as the identity provider shows it' }],
} as const satisfies JSONSchema

export type ReplacementBody = FromSchema<typeof REPLACEMENT_REQUEST>

/** The response of `POST /v1/org/connection/test`. */
export const CONNECTION_TEST = {
  $id: 'ConnectionTest',
  type: 'object',
  description: 'The address at which the browser signs in once through the next connection. It returns to the app.',
  required: ['url'],
  additionalProperties: false,
  properties: { url: { type: 'string', description: 'Valid for 15 minutes.' } },
  examples: [{ url: 'https://omen.example.com/v1/auth/test/5mCTRVrLtbLuLNxHgyGcXbRZyhRMdVKqxbSrMDfhyWE' }],
} as const satisfies JSONSchema

export const ORGANIZATION_CONNECTION_MESSAGES = [
  CURRENT_CONNECTION,
  NEXT_CONNECTION,
  ORGANIZATION_CONNECTION,
  PROPOSED_CONNECTION,
  REPLACEMENT_REQUEST,
  CONNECTION_TEST,
] as const
