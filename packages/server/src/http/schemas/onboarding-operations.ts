import type { ProblemCode } from '../../problem.js'
import {
  COMPLETION,
  COMPLETION_PARAMS,
  COMPLETION_REQUEST,
  CONNECTION_REQUEST,
  EXCHANGE_QUERY,
  ONBOARDING_TOKEN,
  OPENED_TRANSACTION,
  SIGN_IN_TEST,
  SIGN_IN_TEST_REPORT,
} from './onboarding.js'
import { ref } from './schema.js'

const ALWAYS: readonly ProblemCode[] = [
  'bad_request',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'unavailable',
  'internal',
]

const WITH_TOKEN: readonly ProblemCode[] = [
  'invalid_json',
  'body_too_large',
  'missing_token',
  'invalid_token',
  'token_expired',
  'code_used',
  'invalid_request',
]

/** `GET /v1/auth/validate` */
export const EXCHANGE = {
  schema: {
    operationId: 'exchangeCode',
    tags: ['onboarding'],
    summary: 'Step 1: exchange the code for a token',
    description: 'The code can be exchanged again until it expires, is revoked, or its onboarding is complete.',
    querystring: EXCHANGE_QUERY,
    response: { 200: ref(ONBOARDING_TOKEN) },
  },
  problems: ['missing_code', 'invalid_code', 'code_expired', 'code_used', ...ALWAYS],
} as const

/** `POST /v1/api/oauth` */
export const OPEN = {
  schema: {
    operationId: 'openTransaction',
    tags: ['onboarding'],
    summary: 'Step 2: submit the identity provider',
    description:
      'Reads and checks the configuration of the identity provider. The same body again returns the same transaction; another ' +
      'body opens a new transaction and closes the old one.',
    security: [{ onboardingToken: [] }],
    body: ref(CONNECTION_REQUEST),
    response: { 200: ref(OPENED_TRANSACTION) },
  },
  problems: [...WITH_TOKEN, 'discovery_failed', 'public_domain', 'domain_taken', ...ALWAYS],
} as const

/** `POST /v1/api/oauth/<transaction_id>/onboard` */
export const COMPLETE = {
  schema: {
    operationId: 'completeOnboarding',
    tags: ['onboarding'],
    summary: 'Step 4: submit the client',
    description: 'Checks the client at the identity provider, and stores the connection.',
    security: [{ onboardingToken: [] }],
    params: COMPLETION_PARAMS,
    body: ref(COMPLETION_REQUEST),
    response: { 200: ref(COMPLETION) },
  },
  problems: [
    ...WITH_TOKEN,
    'unknown_transaction',
    'transaction_expired',
    'already_completed',
    'domain_taken',
    'discovery_failed',
    'client_rejected',
    'idp_unavailable',
    ...ALWAYS,
  ],
} as const

/** `POST /v1/api/oauth/<transaction_id>/test` */
export const START_TEST = {
  schema: {
    operationId: 'startSignInTest',
    tags: ['onboarding'],
    summary: 'Before step 4: start a test sign-in',
    description:
      'Checks the client at the identity provider, as step 4 does, and returns an address at which one user signs in to test the ' +
      'whole connection. The test does not change the onboarding, and step 4 does not require it. It ends an earlier test.',
    security: [{ onboardingToken: [] }],
    params: COMPLETION_PARAMS,
    body: ref(COMPLETION_REQUEST),
    response: { 200: ref(SIGN_IN_TEST) },
  },
  problems: COMPLETE.problems,
} as const

/** `GET /v1/api/oauth/<transaction_id>/test` */
export const READ_TEST = {
  schema: {
    operationId: 'readSignInTest',
    tags: ['onboarding'],
    summary: 'Before step 4: read the result of the test sign-in',
    description: 'Repeat the request every few seconds while the status is `pending`.',
    security: [{ onboardingToken: [] }],
    params: COMPLETION_PARAMS,
    response: { 200: ref(SIGN_IN_TEST_REPORT) },
  },
  problems: [
    'missing_token',
    'invalid_token',
    'token_expired',
    'code_used',
    'unknown_transaction',
    'transaction_expired',
    'already_completed',
    ...ALWAYS,
  ],
} as const
