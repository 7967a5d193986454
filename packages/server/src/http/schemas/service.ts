import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** The response of `GET /v1/setup.json`. */
export const SETUP = {
  $id: 'Setup',
  type: 'object',
  description: 'The addresses of the service, for the set-up page.',
  required: ['base_url', 'app_url', 'test_sign_in'],
  additionalProperties: false,
  properties: {
    base_url: {
      type: 'string',
      description: 'The host of sign-in: the initiate login URI is `/v1/auth/login` there.',
    },
    app_url: { type: 'string', description: 'The address of the application for users.' },
    test_sign_in: { type: 'boolean', description: 'Whether a sign-in can be tested before the connection is stored.' },
  },
  examples: [{ base_url: 'https://omen.example.com', app_url: 'https://app.example.com', test_sign_in: true }],
} as const satisfies JSONSchema

export type Setup = FromSchema<typeof SETUP>

/** The response of `/healthz` and `/readyz`. */
export const HEALTH = {
  $id: 'Health',
  type: 'object',
  description: 'The state of this process.',
  required: ['status'],
  additionalProperties: false,
  properties: { status: { type: 'string', enum: ['ok', 'ready'] } },
  examples: [{ status: 'ok' }],
} as const satisfies JSONSchema
