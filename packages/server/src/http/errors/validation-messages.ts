import type { FastifySchemaValidationError } from 'fastify'
import { type FieldError, Problem } from '../../problem.js'
import { PATTERN_MESSAGES } from '../schemas/schema.js'

/** The message about a field, by the schema keyword that it violates. */
const MESSAGES: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  required: () => 'is missing',
  type: ({ type }) => (type === 'array' ? 'must be an array' : 'must be a string'),
  enum: ({ allowedValues }) => `is not one of ${(allowedValues as readonly string[]).join(', ')}`,
  minItems: () => 'is empty',
  maxItems: ({ limit }) => `has more than ${limit} entries`,
  minLength: () => 'is empty',
  maxLength: ({ limit }) => `has more than ${limit} characters`,
  pattern: ({ pattern }) => PATTERN_MESSAGES[String(pattern)] ?? 'is not valid',
}

/**
 * The problem of a body that violates its schema, with one message for each field.
 *
 * @example
 * invalidBody(errors).message // Correct the request and send it again: domain is missing; org_name is empty.
 */
export function invalidBody(validation: readonly FastifySchemaValidationError[]): Problem {
  const messages = new Map<string, string>()
  for (const { instancePath, keyword, params } of validation) {
    // For an item of an array, the array is named.
    const field = keyword === 'required' ? String(params.missingProperty) : (instancePath.split('/', 2)[1] ?? '')
    if (!messages.has(field)) messages.set(field, MESSAGES[keyword]?.(params) ?? 'is not valid')
  }
  if (messages.has('')) {
    return new Problem('invalid_request', 'The body must be a JSON object, such as {"field": "value"}.')
  }
  const errors = [...messages].map(([field, message]): FieldError => ({ field, message }))
  const list = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new Problem('invalid_request', `Correct the request and send it again: ${list}.`, { errors })
}
