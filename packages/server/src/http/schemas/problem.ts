import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { PROBLEMS, type ProblemCode } from '../../problem.js'

/** Every code, in the order of the table. */
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[]

/** Every error of the service (RFC 9457). */
export const PROBLEM = {
  $id: 'Problem',
  type: 'object',
  description: 'What went wrong, and what to do next (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code'],
  additionalProperties: false,
  properties: {
    type: { type: 'string', description: 'The address of the section of the documentation about this code.' },
    title: { type: 'string', description: 'What the code means, in a few words.' },
    status: { type: 'integer', description: 'The status of the response.' },
    detail: { type: 'string', description: 'What happened this time, and what to do next.' },
    code: { type: 'string', enum: PROBLEM_CODES, description: 'Stable: programs can depend on it.' },
    errors: {
      type: 'array',
      description: 'The fields that are not valid.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        additionalProperties: false,
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
} as const satisfies JSONSchema

export type ProblemBody = FromSchema<typeof PROBLEM>
