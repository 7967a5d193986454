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

const ref = ({ $id }: { readonly $id: string }) => ({ $ref: `${$id}#` })

const PERSON = [{ session: [] }, { accessToken: [] }]
const PERSON_OR_MACHINE = [...PERSON, { apiToken: [] }]
const TAGS = ['administration']
const DONE = { 204: { description: 'Done.', type: 'null' } } as const

const ID_PARAMS = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', description: 'The `id` of the list.', examples: ['6cc81bd4-f321-46cf-b126-781d298729c2'] },
  },
} as const satisfies JSONSchema

export type IdParams = FromSchema<typeof ID_PARAMS>

const DOMAIN_PARAMS = {
  type: 'object',
  required: ['domain'],
  properties: { domain: { type: 'string', description: 'The `domain` of the list.', examples: ['acme.org'] } },
} as const satisfies JSONSchema

export type DomainParams = FromSchema<typeof DOMAIN_PARAMS>

const AUDIT_QUERY = {
  type: 'object',
  properties: {
    limit: { type: 'string', description: 'How many records, 50 without it, 200 at most.', examples: ['50'] },
    before: { type: 'string', description: 'The field `next` of the page before.', examples: ['4711'] },
    action: { type: 'string', description: 'Only records of this action.', examples: ['user.signed_in'] },
  },
} as const satisfies JSONSchema

/** `GET /v1/org` */
export const READ_ORGANIZATION = {
  schema: {
    operationId: 'readOrganization',
    tags: TAGS,
    summary: 'Your organization, and what you are in it',
    security: PERSON,
    response: { 200: ref(ORGANIZATION) },
  },
  problems: SIGNED_IN,
} as const

/** `GET /v1/org/members` */
export const LIST_MEMBERS = {
  schema: {
    operationId: 'listMembers',
    tags: TAGS,
    summary: 'Who has signed in, and when',
    description: 'Also for an API token with the scope `members:read`.',
    security: PERSON_OR_MACHINE,
    response: { 200: ref(MEMBER_LIST) },
  },
  problems: READING,
} as const

/** `PATCH /v1/org/members/<id>` */
export const SET_ROLE = {
  schema: {
    operationId: 'setRole',
    tags: TAGS,
    summary: 'Make somebody an administrator, or a member',
    security: PERSON,
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
    summary: 'Remove an account, and end its sessions',
    description:
      'Who is still assigned at the identity provider can sign in anew, as a member: take the assignment away there first.',
    security: PERSON,
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
    security: PERSON,
    response: { 200: ref(DOMAIN_LIST) },
  },
  problems: READING,
} as const

/** `POST /v1/org/domains` */
export const ADD_DOMAIN = {
  schema: {
    operationId: 'addDomain',
    tags: TAGS,
    summary: 'Add a domain, to be verified',
    description: 'Gives the record that is to stand in its DNS. The same domain again gives the same record.',
    security: PERSON,
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
    summary: 'Look for the record of a domain',
    description: 'Once it is found its people can sign in, and the record may go.',
    security: PERSON,
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
    description: 'The sessions of its people end, and they cannot sign in any more.',
    security: PERSON,
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
    summary: 'Who did what, and when',
    description: 'Latest first. Also for an API token with the scope `audit:read`.',
    security: PERSON_OR_MACHINE,
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
    security: PERSON,
    response: { 200: ref(API_TOKEN_LIST) },
  },
  problems: READING,
} as const

/** `POST /v1/org/tokens` */
export const ISSUE_TOKEN = {
  schema: {
    operationId: 'issueToken',
    tags: TAGS,
    summary: 'Make an API token for a machine',
    description: 'The token is shown in this answer, and never again.',
    security: PERSON,
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
    summary: 'End an API token at once',
    security: PERSON,
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
    security: PERSON,
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
      'Reads the configuration and tries the client at once. The connection in use goes on until the switch. One that was prepared before gives way.',
    security: PERSON,
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
    description: 'For a browser: it needs the cookie of the session. The sign-in makes no account and no session.',
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
      'Needs a test that you have passed, with your own address. With another issuer everybody is signed out, you too; otherwise nobody is.',
    security: PERSON,
    response: { 200: ref(ORGANIZATION_CONNECTION) },
  },
  problems: ['connection_untested', ...CHANGING],
} as const

/** `DELETE /v1/org/connection/next` */
export const DROP_CONNECTION = {
  schema: {
    operationId: 'dropConnection',
    tags: TAGS,
    summary: 'Replace the connection: give it up',
    security: PERSON,
    response: DONE,
  },
  problems: CHANGING,
} as const
