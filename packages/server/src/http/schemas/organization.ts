import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { NOT_BLANK, partOf } from './schema.js'

const MOMENT = { type: 'string', description: 'RFC 3339, UTC.' } as const
const MOMENT_OR_NULL = { type: ['string', 'null'], description: 'RFC 3339, UTC.' } as const
const ROLE = { type: 'string', enum: ['administrator', 'member'] } as const

/** The answer of `GET /v1/org`. */
export const ORGANIZATION = {
  $id: 'Organization',
  type: 'object',
  description: 'The organization of whoever is signed in, and what they are in it.',
  required: ['name', 'domain', 'role', 'user_id', 'domains'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    domain: { type: 'string', description: 'The primary domain: the one of the onboarding.' },
    role: ROLE,
    user_id: { type: 'string', description: 'Among the members.' },
    domains: { type: 'array', items: { type: 'string' }, description: 'All that are verified, the primary one first.' },
  },
  examples: [
    {
      name: 'Acme',
      domain: 'acme.com',
      role: 'administrator',
      user_id: '0b0f8a70-6a0c-4f43-a2a1-5f0f2f0a8e11',
      domains: ['acme.com', 'acme.org'],
    },
  ],
} as const satisfies JSONSchema

/** The answer of `PATCH /v1/org/members/<id>`. */
export const MEMBER = {
  $id: 'Member',
  type: 'object',
  description: 'Somebody who has signed in.',
  required: ['id', 'email', 'name', 'role', 'created_at', 'signed_in_at', 'sessions', 'you'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string', description: 'The address where the identity provider tells none.' },
    role: ROLE,
    created_at: MOMENT,
    signed_in_at: { ...MOMENT, description: 'The last sign-in. RFC 3339, UTC.' },
    sessions: { type: 'integer', description: 'Browsers and tools that are signed in.' },
    you: { type: 'boolean' },
  },
  examples: [
    {
      id: '0b0f8a70-6a0c-4f43-a2a1-5f0f2f0a8e11',
      email: 'alice@acme.com',
      name: 'Alice',
      role: 'administrator',
      created_at: '2026-12-01T10:00:00.000Z',
      signed_in_at: '2026-12-08T08:12:00.000Z',
      sessions: 2,
      you: true,
    },
  ],
} as const satisfies JSONSchema

/** The answer of `GET /v1/org/members`. */
export const MEMBER_LIST = {
  $id: 'MemberList',
  type: 'object',
  description: 'Everybody who has signed in, by address.',
  required: ['members'],
  additionalProperties: false,
  properties: { members: { type: 'array', items: partOf(MEMBER) } },
  examples: [{ members: MEMBER.examples }],
} as const satisfies JSONSchema

/** The body of `PATCH /v1/org/members/<id>`. */
export const ROLE_REQUEST = {
  $id: 'RoleRequest',
  type: 'object',
  description: 'What somebody is from now on.',
  required: ['role'],
  properties: { role: ROLE },
  examples: [{ role: 'administrator' }],
} as const satisfies JSONSchema

export type RoleBody = FromSchema<typeof ROLE_REQUEST>

/** The answer of `POST /v1/org/domains`. */
export const ORGANIZATION_DOMAIN = {
  $id: 'OrganizationDomain',
  type: 'object',
  description: 'An e-mail domain of the organization. Its people can sign in when it is verified.',
  required: ['domain', 'status', 'primary', 'added_at', 'verified_at', 'record'],
  additionalProperties: false,
  properties: {
    domain: { type: 'string' },
    status: { type: 'string', enum: ['verified', 'pending'] },
    primary: { type: 'boolean', description: 'Whether it is the one of the onboarding, which stays.' },
    added_at: MOMENT,
    verified_at: MOMENT_OR_NULL,
    record: {
      type: 'object',
      description: 'What is to stand in the DNS while the domain is being verified.',
      required: ['type', 'name', 'value'],
      additionalProperties: false,
      properties: { type: { type: 'string', const: 'TXT' }, name: { type: 'string' }, value: { type: 'string' } },
    },
  },
  examples: [
    {
      domain: 'acme.org',
      status: 'pending',
      primary: false,
      added_at: '2026-12-01T10:00:00.000Z',
      verified_at: null,
      record: { type: 'TXT', name: '_omen.acme.org', value: 'omen-domain=3f0c9a1b2d4e5f60718293a4b5c6d7e8' },
    },
  ],
} as const satisfies JSONSchema

/** The answer of `GET /v1/org/domains`. */
export const DOMAIN_LIST = {
  $id: 'DomainList',
  type: 'object',
  description: 'The domains of the organization: the primary one first, those that are pending at the end.',
  required: ['domains'],
  additionalProperties: false,
  properties: { domains: { type: 'array', items: partOf(ORGANIZATION_DOMAIN) } },
  examples: [{ domains: ORGANIZATION_DOMAIN.examples }],
} as const satisfies JSONSchema

/** The body of `POST /v1/org/domains`. */
export const DOMAIN_REQUEST = {
  $id: 'DomainRequest',
  type: 'object',
  description: 'A domain to add.',
  required: ['domain'],
  properties: {
    domain: {
      type: 'string',
      minLength: 1,
      maxLength: 253,
      pattern: NOT_BLANK,
      description: 'What stands behind the @ of addresses.',
    },
  },
  examples: [{ domain: 'acme.org' }],
} as const satisfies JSONSchema

export type DomainBody = FromSchema<typeof DOMAIN_REQUEST>

/** The answer of `GET /v1/org/audit`. */
export const AUDIT_PAGE = {
  $id: 'AuditPage',
  type: 'object',
  description: 'What was done in the organization and by its people, latest first.',
  required: ['records', 'next'],
  additionalProperties: false,
  properties: {
    records: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'at', 'action', 'actor', 'address', 'detail'],
        additionalProperties: false,
        properties: {
          id: { type: 'string' },
          at: MOMENT,
          action: { type: 'string' },
          actor: {
            type: 'string',
            description: 'An address, `operator`, `token <name>`, `identity provider`, `visitor`.',
          },
          address: { type: ['string', 'null'], description: 'The network address that the request came from.' },
          detail: { type: 'object', additionalProperties: true, description: 'Depends on the action.' },
        },
      },
    },
    next: { type: ['string', 'null'], description: 'The value of `before` for the next page; null at the end.' },
  },
  examples: [
    {
      records: [
        {
          id: '4711',
          at: '2026-12-08T08:12:00.000Z',
          action: 'user.role_changed',
          actor: 'alice@acme.com',
          address: '203.0.113.7',
          detail: { email: 'bob@acme.com', from: 'member', to: 'administrator' },
        },
      ],
      next: '4711',
    },
  ],
} as const satisfies JSONSchema

export const ORGANIZATION_MESSAGES = [
  ORGANIZATION,
  MEMBER,
  MEMBER_LIST,
  ROLE_REQUEST,
  ORGANIZATION_DOMAIN,
  DOMAIN_LIST,
  DOMAIN_REQUEST,
  AUDIT_PAGE,
] as const
