import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** The query of `GET /v1/auth/validate`. */
export const EXCHANGE_QUERY = {
  type: 'object',
  required: ['code'],
  properties: {
    code: {
      type: 'string',
      minLength: 1,
      description: 'The temporary code that the operator gave you: two groups joined by a hyphen, in any case.',
      examples: ['K7QF2M-9XTR4B'],
    },
  },
} as const satisfies JSONSchema

export type ExchangeQuery = FromSchema<typeof EXCHANGE_QUERY>

/** The answer of `GET /v1/auth/validate`. */
export const ONBOARDING_TOKEN = {
  $id: 'OnboardingToken',
  type: 'object',
  description: 'A token for the next steps. It works until the end of the day on which the code expires (UTC).',
  required: ['token'],
  additionalProperties: false,
  properties: {
    token: { type: 'string', description: 'A JWT. Send it as `Authorization: Bearer <token>`. Keep it secret.' },
  },
  examples: [{ token: 'eyJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJvbmJvYXJkaW5nIn0.c2lnbmF0dXJl' }],
} as const satisfies JSONSchema

export type OnboardingToken = FromSchema<typeof ONBOARDING_TOKEN>
