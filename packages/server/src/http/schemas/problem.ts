import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { PROBLEMS, type ProblemCode } from '../../problem.js'
import { PROBLEM_GUIDE } from './problem-guide.js'

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
    title: { type: 'string', description: 'A short description of the code.' },
    status: { type: 'integer', description: 'The status of the response.' },
    detail: { type: 'string', description: 'What happened, and what to do next.' },
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

export const PROBLEM_TYPE = 'application/problem+json'

interface ErrorResponse {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly type: string; readonly description: string }>>
  readonly content: {
    readonly [PROBLEM_TYPE]: {
      readonly schema: { readonly $ref: string }
      readonly examples: Readonly<Record<string, { readonly value: ProblemBody }>>
    }
  }
}

/** The headers of a status. */
const HEADERS: Readonly<Record<number, NonNullable<ErrorResponse['headers']>>> = {
  401: { 'WWW-Authenticate': { type: 'string', description: 'How to authenticate (RFC 6750).' } },
  405: { Allow: { type: 'string', description: 'The methods of this address.' } },
  429: { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } },
  503: { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } },
}

/**
 * The responses of an operation that can fail with these codes, by status, for the OpenAPI document.
 *
 * @example
 * response: { 200: { $ref: 'OnboardingToken#' }, ...errorResponses(docsUrl, ['missing_code', 'invalid_code']) }
 */
export function errorResponses(docsUrl: string, codes: readonly ProblemCode[]): Record<string, ErrorResponse> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = PROBLEMS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, together]) => [status, errorResponse(docsUrl, status, together)]),
  )
}

function errorResponse(docsUrl: string, status: number, codes: readonly ProblemCode[]): ErrorResponse {
  const examples = codes.map((code) => [code, { value: exampleOf(docsUrl, code) }] as const)
  const headers = HEADERS[status]
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    ...(headers && { headers }),
    content: { [PROBLEM_TYPE]: { schema: { $ref: `${PROBLEM.$id}#` }, examples: Object.fromEntries(examples) } },
  }
}

function exampleOf(docsUrl: string, code: ProblemCode): ProblemBody {
  const { example, errors } = PROBLEM_GUIDE[code]
  return {
    type: `${docsUrl}#${code}`,
    ...PROBLEMS[code],
    detail: example,
    code,
    ...(errors && { errors: errors.map((error) => ({ ...error })) }),
  }
}
