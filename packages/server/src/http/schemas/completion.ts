import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import { NOT_BLANK } from './text.js'

/** The parameters of what is done with a transaction. An id of a wrong form is an unknown one: 404, not 422. */
export const COMPLETION_PARAMS = {
  type: 'object',
  required: ['transaction_id'],
  properties: {
    transaction_id: {
      type: 'string',
      description: 'The `transaction_id` of step 2.',
      examples: ['4fVkQQwWpcoZ7TjEXgJ3NN'],
    },
  },
} as const satisfies JSONSchema

export type CompletionParams = FromSchema<typeof COMPLETION_PARAMS>

/** The body of `POST /v1/api/oauth/<transaction_id>/onboard`. */
export const COMPLETION_REQUEST = {
  $id: 'CompletionRequest',
  type: 'object',
  description: 'The client of the OAuth web application at the identity provider. Other fields are ignored.',
  required: ['client_id', 'client_secret'],
  properties: {
    client_id: {
      type: 'string',
      minLength: 1,
      maxLength: 4000,
      pattern: NOT_BLANK,
      description: 'The client ID that the identity provider shows for the application.',
    },
    client_secret: {
      type: 'string',
      minLength: 1,
      maxLength: 4000,
      pattern: NOT_BLANK,
      description: 'The client secret. It is tried at once, stored encrypted and never shown again.',
    },
  },
  examples: [{ client_id: '0oa1b2c3d4', client_secret: 'the secret of the application' }],
} as const satisfies JSONSchema

export type CompletionBody = FromSchema<typeof COMPLETION_REQUEST>

/** The answer of `POST /v1/api/oauth/<transaction_id>/onboard`. */
export const COMPLETION = {
  $id: 'Completion',
  type: 'object',
  description: 'The connection is stored, and the code is spent.',
  required: ['status', 'login_url', 'app_url'],
  additionalProperties: false,
  properties: {
    status: { type: 'string', const: 'completed' },
    login_url: { type: 'string', description: 'Enter it as the initiate login URI of the application.' },
    app_url: { type: 'string', description: 'Where users will find the application.' },
  },
  examples: [
    {
      status: 'completed',
      login_url: 'https://omen.example.com/v1/auth/login',
      app_url: 'https://app.example.com',
    },
  ],
} as const satisfies JSONSchema

export type CompletionAnswer = FromSchema<typeof COMPLETION>
