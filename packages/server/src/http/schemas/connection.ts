import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { NOT_BLANK } from './text.js'

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
      description: "The organization's e-mail domain: what stands behind the @ of its addresses.",
    },
    org_name: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern: NOT_BLANK,
      description: 'The name of the organization, as its people will see it.',
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

/** The answer of `POST /v1/api/oauth`. */
export const OPENED_TRANSACTION = {
  $id: 'OpenedTransaction',
  type: 'object',
  description: 'What to enter at the identity provider, and what to complete the onboarding with. Valid for 48 hours.',
  required: ['sign_in_uri', 'transaction_id', 'expires_at'],
  additionalProperties: false,
  properties: {
    sign_in_uri: {
      type: 'string',
      description: 'Enter it as the sign-in redirect URI of the OAuth web application at the identity provider.',
    },
    transaction_id: { type: 'string', description: 'Stands in the address of the last step.' },
    expires_at: { type: 'string', description: 'Until when the last step must be done (RFC 3339).' },
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
