import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** The answer of `GET /v1/setup.json`. */
export const SETUP = {
  $id: 'Setup',
  type: 'object',
  description: 'What the set-up page has to know about the service.',
  required: ['base_url', 'app_url', 'test_sign_in'],
  additionalProperties: false,
  properties: {
    base_url: {
      type: 'string',
      description: 'Where sign-in happens: the initiate login URI is `/v1/auth/login` there.',
    },
    app_url: { type: 'string', description: 'Where users find the application.' },
    test_sign_in: { type: 'boolean', description: 'Whether a sign-in can be tried before the connection counts.' },
  },
  examples: [{ base_url: 'https://omen.example.com', app_url: 'https://app.example.com', test_sign_in: true }],
} as const satisfies JSONSchema

export type Setup = FromSchema<typeof SETUP>

/** The answer of `/healthz` and `/readyz`. */
export const HEALTH = {
  $id: 'Health',
  type: 'object',
  description: 'The state of this process.',
  required: ['status'],
  additionalProperties: false,
  properties: { status: { type: 'string', enum: ['ok', 'ready'] } },
  examples: [{ status: 'ok' }],
} as const satisfies JSONSchema
