import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { ProblemCode } from '../../problem.js'
import { API_TOKEN_LIST, API_TOKEN_REQUEST, ISSUED_API_TOKEN } from './api-tokens.js'
import {
  AUDIT_PAGE,
  DOMAIN_LIST,
  DOMAIN_REQUEST,
  MEMBER,
  MEMBER_LIST,
  ORGANIZATION,
  ORGANIZATION_DOMAIN,
  ROLE_REQUEST,
} from './organization.js'
import {
  CONNECTION_TEST,
  ORGANIZATION_CONNECTION,
  PROPOSED_CONNECTION,
  REPLACEMENT_REQUEST,
} from './organization-connection.js'
import { ref } from './schema.js'

const ALWAYS: readonly ProblemCode[] = ['not_found', 'method_not_allowed', 'unavailable', 'internal']
const SIGNED_IN: readonly ProblemCode[] = [
  'missing_session',
  'invalid_token',
  'token_expired',
  'missing_scope',
  ...ALWAYS,
]
const READING: readonly ProblemCode[] = ['not_administrator', ...SIGNED_IN]
const CHANGING: readonly ProblemCode[] = ['cross_site', 'rate_limited', ...READING]
const WITH_BODY: readonly ProblemCode[] = ['invalid_json', 'body_too_large', 'invalid_request', ...CHANGING]

const USER = [{ session: [] }, { accessToken: [] }]
const USER_OR_MACHINE = [...USER, { apiToken: [] }]
const TAGS = ['administration']
const DONE = { 204: { description: 'Done.', type: 'null' } } as const

const ID_PARAMS = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', description: 'The `id` in the list.', examples: ['6cc81bd4-f321-46cf-b126-781d298729c2'] },
  },
} as const satisfies JSONSchema

export type IdParams = FromSchema<typeof ID_PARAMS>

const DOMAIN_PARAMS = {
  type: 'object',
  required: ['domain'],
  properties: { domain: { type: 'string', description: 'The `domain` in the list.', examples: ['acme.org'] } },
} as const satisfies JSONSchema

export type DomainParams = FromSchema<typeof DOMAIN_PARAMS>

const AUDIT_QUERY = {
  type: 'object',
  properties: {
    limit: { type: 'string', description: 'The number of records: 50 by default, at most 200.', examples: ['50'] },
    before: { type: 'string', description: 'The field `next` of the previous page.', examples: ['4711'] },
    action: { type: 'string', description: 'Only records with this action.', examples: ['user.signed_in'] },
  },
} as const satisfies JSONSchema

/** `GET /v1/org` */
export const READ_ORGANIZATION = {
  schema: {
    operationId: 'readOrganization',
    tags: TAGS,
    summary: 'Your organization and your role',
    security: USER,
    response: { 200: ref(ORGANIZATION) },
  },
  problems: SIGNED_IN,
} as const

/** `GET /v1/org/members` */
export const LIST_MEMBERS = {
  schema: {
    operationId: 'listMembers',
    tags: TAGS,
    summary: 'The members of the organization',
    description: 'Also allowed with an API token that has the scope `members:read`.',
    security: USER_OR_MACHINE,
    response: { 200: ref(MEMBER_LIST) },
  },
  problems: READING,
} as const

/** `PATCH /v1/org/members/<id>` */
export const SET_ROLE = {
  schema: {
    operationId: 'setRole',
    tags: TAGS,
    summary: 'Change the role of a member',
    security: USER,
    params: ID_PARAMS,
    body: ref(ROLE_REQUEST),
    response: { 200: ref(MEMBER) },
  },
  problems: ['last_administrator', ...WITH_BODY],
} as const

/** `DELETE /v1/org/members/<id>` */
export const REMOVE_MEMBER = {
  schema: {
    operationId: 'removeMember',
    tags: TAGS,
    summary: 'Remove a member, and end their sessions',
    description:
      'A user who is still assigned at the identity provider can sign in again, as a member: remove the assignment there first.',
    security: USER,
    params: ID_PARAMS,
    response: DONE,
  },
  problems: ['last_administrator', ...CHANGING],
} as const

/** `GET /v1/org/domains` */
export const LIST_DOMAINS = {
  schema: {
    operationId: 'listDomains',
    tags: TAGS,
    summary: 'The e-mail domains of the organization',
    security: USER,
    response: { 200: ref(DOMAIN_LIST) },
  },
  problems: READING,
} as const

/** `POST /v1/org/domains` */
export const ADD_DOMAIN = {
  schema: {
    operationId: 'addDomain',
    tags: TAGS,
    summary: 'Add a domain',
    description: 'Returns the DNS record that verifies it. The same domain again returns the same record.',
    security: USER,
    body: ref(DOMAIN_REQUEST),
    response: { 201: ref(ORGANIZATION_DOMAIN) },
  },
  problems: ['domain_taken', 'public_domain', 'too_many_domains', ...WITH_BODY],
} as const

/** `POST /v1/org/domains/<domain>/check` */
export const CHECK_DOMAIN = {
  schema: {
    operationId: 'checkDomain',
    tags: TAGS,
    summary: 'Verify a domain',
    description:
      'Looks for the DNS record. After that, users of the domain can sign in, and the record may be removed.',
    security: USER,
    params: DOMAIN_PARAMS,
    response: { 200: ref(ORGANIZATION_DOMAIN) },
  },
  problems: ['domain_unverified', 'domain_taken', ...CHANGING],
} as const

/** `DELETE /v1/org/domains/<domain>` */
export const REMOVE_DOMAIN = {
  schema: {
    operationId: 'removeDomain',
    tags: TAGS,
    summary: 'Remove a domain',
    description: 'Users of the domain can no longer sign in, and their sessions end.',
    security: USER,
    params: DOMAIN_PARAMS,
    response: DONE,
  },
  problems: ['primary_domain', 'last_administrator', ...CHANGING],
} as const

/** `GET /v1/org/audit` */
export const READ_AUDIT = {
  schema: {
    operationId: 'readAudit',
    tags: TAGS,
    summary: 'The audit records of the organization',
    description: 'Latest first. Also allowed with an API token that has the scope `audit:read`.',
    security: USER_OR_MACHINE,
    querystring: AUDIT_QUERY,
    response: { 200: ref(AUDIT_PAGE) },
  },
  problems: ['invalid_request', ...READING],
} as const

/** `GET /v1/org/tokens` */
export const LIST_TOKENS = {
  schema: {
    operationId: 'listTokens',
    tags: TAGS,
    summary: 'The API tokens of the organization',
    security: USER,
    response: { 200: ref(API_TOKEN_LIST) },
  },
  problems: READING,
} as const

/** `POST /v1/org/tokens` */
export const ISSUE_TOKEN = {
  schema: {
    operationId: 'issueToken',
    tags: TAGS,
    summary: 'Create an API token for a machine',
    description: 'The token is shown only in this response.',
    security: USER,
    body: ref(API_TOKEN_REQUEST),
    response: { 201: ref(ISSUED_API_TOKEN) },
  },
  problems: ['too_many_tokens', ...WITH_BODY],
} as const

/** `DELETE /v1/org/tokens/<id>` */
export const REVOKE_TOKEN = {
  schema: {
    operationId: 'revokeApiToken',
    tags: TAGS,
    summary: 'Revoke an API token',
    security: USER,
    params: ID_PARAMS,
    response: DONE,
  },
  problems: CHANGING,
} as const

/** `GET /v1/org/connection` */
export const READ_CONNECTION = {
  schema: {
    operationId: 'readConnection',
    tags: TAGS,
    summary: 'The connection to the identity provider',
    security: USER,
    response: { 200: ref(ORGANIZATION_CONNECTION) },
  },
  problems: READING,
} as const

/** `POST /v1/org/connection` */
export const PROPOSE_CONNECTION = {
  schema: {
    operationId: 'proposeConnection',
    tags: TAGS,
    summary: 'Replace the client secret or the whole connection: prepare it',
    description:
      'Reads the configuration and checks the client. The connection in use stays active until the switch. A connection that was prepared before is replaced.',
    security: USER,
    body: ref(REPLACEMENT_REQUEST),
    response: { 201: ref(PROPOSED_CONNECTION) },
  },
  problems: ['discovery_failed', 'client_rejected', 'idp_unavailable', 'connection_changed', ...WITH_BODY],
} as const

/** `POST /v1/org/connection/test` */
export const TEST_CONNECTION = {
  schema: {
    operationId: 'testConnection',
    tags: TAGS,
    summary: 'Replace the connection: sign in through it once',
    description: 'For browsers: it needs the session cookie. The sign-in creates no account and no session.',
    security: [{ session: [] }],
    response: { 200: ref(CONNECTION_TEST) },
  },
  problems: CHANGING,
} as const

/** `POST /v1/org/connection/switch` */
export const SWITCH_CONNECTION = {
  schema: {
    operationId: 'switchConnection',
    tags: TAGS,
    summary: 'Replace the connection: switch to it',
    description:
      'You must have passed a test with your own address. If the issuer changes, all users are signed out, including you; otherwise nobody is.',
    security: USER,
    response: { 200: ref(ORGANIZATION_CONNECTION) },
  },
  problems: ['connection_untested', ...CHANGING],
} as const

/** `DELETE /v1/org/connection/next` */
export const DROP_CONNECTION = {
  schema: {
    operationId: 'dropConnection',
    tags: TAGS,
    summary: 'Replace the connection: cancel',
    security: USER,
    response: DONE,
  },
  problems: CHANGING,
} as const
