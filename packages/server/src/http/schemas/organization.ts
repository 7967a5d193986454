import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { NOT_BLANK, partOf } from './schema.js'

const MOMENT = { type: 'string', description: 'RFC 3339, UTC.' } as const
const MOMENT_OR_NULL = { type: ['string', 'null'], description: 'RFC 3339, UTC.' } as const
const ROLE = { type: 'string', enum: ['administrator', 'member'] } as const

/** The response of `GET /v1/org`. */
export const ORGANIZATION = {
  $id: 'Organization',
  type: 'object',
  description: 'The organization of the signed-in user, and the role of the user.',
  required: ['name', 'domain', 'role', 'user_id', 'domains'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    domain: { type: 'string', description: 'The primary domain: the domain of the onboarding.' },
    role: ROLE,
    user_id: { type: 'string', description: 'The ID of the user in the list of members.' },
    domains: { type: 'array', items: { type: 'string' }, description: 'The verified domains, the primary one first.' },
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

/** The response of `PATCH /v1/org/members/<id>`. */
export const MEMBER = {
  $id: 'Member',
  type: 'object',
  description: 'A user of the organization.',
  required: ['id', 'email', 'name', 'role', 'created_at', 'signed_in_at', 'sessions', 'you'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string', description: 'The name, or the address if the identity provider sends no name.' },
    role: ROLE,
    created_at: MOMENT,
    signed_in_at: { ...MOMENT, description: 'The last sign-in. RFC 3339, UTC.' },
    sessions: { type: 'integer', description: 'The number of signed-in browsers and tools.' },
    you: { type: 'boolean', description: 'Whether it is the requester.' },
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

/** The response of `GET /v1/org/members`. */
export const MEMBER_LIST = {
  $id: 'MemberList',
  type: 'object',
  description: 'Every user who has signed in, sorted by address.',
  required: ['members'],
  additionalProperties: false,
  properties: { members: { type: 'array', items: partOf(MEMBER) } },
  examples: [{ members: MEMBER.examples }],
} as const satisfies JSONSchema

/** The body of `PATCH /v1/org/members/<id>`. */
export const ROLE_REQUEST = {
  $id: 'RoleRequest',
  type: 'object',
  description: 'The new role of a user.',
  required: ['role'],
  properties: { role: ROLE },
  examples: [{ role: 'administrator' }],
} as const satisfies JSONSchema

export type RoleBody = FromSchema<typeof ROLE_REQUEST>

/** The response of `POST /v1/org/domains`. */
export const ORGANIZATION_DOMAIN = {
  $id: 'OrganizationDomain',
  type: 'object',
  description: 'An e-mail domain of the organization. Users with an address at a verified domain can sign in.',
  required: ['domain', 'status', 'primary', 'added_at', 'verified_at', 'record'],
  additionalProperties: false,
  properties: {
    domain: { type: 'string' },
    status: { type: 'string', enum: ['verified', 'pending'] },
    primary: { type: 'boolean', description: 'Whether it is the domain of the onboarding, which cannot be removed.' },
    added_at: MOMENT,
    verified_at: MOMENT_OR_NULL,
    record: {
      type: 'object',
      description: 'The DNS record that verifies the domain.',
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

/** The response of `GET /v1/org/domains`. */
export const DOMAIN_LIST = {
  $id: 'DomainList',
  type: 'object',
  description: 'The domains of the organization: the primary one first, the pending ones last.',
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
      description: 'The part of an e-mail address after the @.',
    },
  },
  examples: [{ domain: 'acme.org' }],
} as const satisfies JSONSchema

export type DomainBody = FromSchema<typeof DOMAIN_REQUEST>

/** The response of `GET /v1/org/audit`. */
export const AUDIT_PAGE = {
  $id: 'AuditPage',
  type: 'object',
  description: 'The audit records of the organization and of its users, latest first.',
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
            description: 'An e-mail address, `operator`, `token <name>`, `identity provider`, `visitor`.',
          },
          address: { type: ['string', 'null'], description: 'The IP address of the requester.' },
          detail: { type: 'object', additionalProperties: true, description: 'Depends on the action.' },
        },
      },
    },
    next: { type: ['string', 'null'], description: 'The value of `before` for the next page; null on the last page.' },
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
