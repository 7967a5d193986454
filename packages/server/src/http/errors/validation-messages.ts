import type { FastifySchemaValidationError } from 'fastify'
import { type FieldError, Problem } from '../../problem.js'
import { PATTERN_WORDS } from '../schemas/schema.js'

/** What is said of a field, by the keyword of its schema that it does not meet. */
const WORDS: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  required: () => 'is missing',
  type: ({ type }) => (type === 'array' ? 'must be a list, in brackets' : 'must be text, in quotes'),
  enum: ({ allowedValues }) => `is none of ${(allowedValues as readonly string[]).join(', ')}`,
  minItems: () => 'is empty',
  maxItems: ({ limit }) => `has more than ${limit} entries`,
  minLength: () => 'is empty',
  maxLength: ({ limit }) => `has more than ${limit} characters`,
  pattern: ({ pattern }) => PATTERN_WORDS[String(pattern)] ?? 'is not valid',
}

/**
 * Tells in plain words what does not fit the schema of a body: one message for each field, the first that matters.
 *
 * @example
 * invalidBody(errors).message // Correct the request and send it again: domain is missing; org_name is empty.
 */
export function invalidBody(validation: readonly FastifySchemaValidationError[]): Problem {
  const messages = new Map<string, string>()
  for (const { instancePath, keyword, params } of validation) {
    // Of an entry in a list, the list is named.
    const field = keyword === 'required' ? String(params.missingProperty) : (instancePath.split('/', 2)[1] ?? '')
    if (!messages.has(field)) messages.set(field, WORDS[keyword]?.(params) ?? 'is not valid')
  }
  if (messages.has(''))
    return new Problem('invalid_request', 'The body must be a JSON object, in braces: {"field": "value"}.')
  const errors = [...messages].map(([field, message]): FieldError => ({ field, message }))
  const list = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
  return new Problem('invalid_request', `Correct the request and send it again: ${list}.`, { errors })
}
