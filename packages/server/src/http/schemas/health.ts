import type { JSONSchema } from 'json-schema-to-ts'

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
