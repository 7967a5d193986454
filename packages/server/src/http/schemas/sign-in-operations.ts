import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type { ProblemCode } from '../../problem.js'
import { ref } from './schema.js'
import {
  DEVICE_AUTHORIZATION,
  ME,
  OAUTH_ERROR,
  REVOKED,
  SESSION_END,
  SESSION_LIST,
  SESSION_PARAMS,
  SIGNED_OUT,
  TOOL_TOKENS,
} from './sign-in.js'

const ALWAYS: readonly ProblemCode[] = ['not_found', 'method_not_allowed', 'unavailable', 'internal']

const WITH_SESSION: readonly ProblemCode[] = ['missing_session', 'invalid_token', 'token_expired', ...ALWAYS]

const SIGNED_IN = [{ session: [] }, { accessToken: [] }]

/** The parameters of `GET /v1/auth/callback/<uuid>`. */
const CALLBACK_PARAMS = {
  type: 'object',
  required: ['uuid'],
  properties: {
    uuid: {
      type: 'string',
      description: 'The last part of the `sign_in_uri` of step 2.',
      examples: ['1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b'],
    },
  },
} as const satisfies JSONSchema

export type CallbackParams = FromSchema<typeof CALLBACK_PARAMS>

/** `GET /v1/auth/callback/<uuid>` */
export const COME_BACK = {
  schema: {
    operationId: 'finishSignIn',
    tags: ['sign-in'],
    summary: 'The redirect URI of the identity provider',
    description:
      'Identity providers redirect browsers here with the parameters of OpenID Connect. The browser gets a session and is redirected to the app. A failed sign-in is explained on a page, or as a problem if `Accept` does not include pages.',
    params: CALLBACK_PARAMS,
    response: {
      303: {
        description: 'Signed in; redirects to the app.',
        content: { 'text/html': { schema: { type: 'string' } } },
      },
    },
  },
  problems: ['bad_request', 'sign_in_refused', 'idp_unavailable', ...ALWAYS],
} as const

/** `GET /v1/me` */
export const READ_ME = {
  schema: {
    operationId: 'readMe',
    tags: ['sign-in'],
    summary: 'The signed-in user',
    security: SIGNED_IN,
    response: { 200: ref(ME) },
  },
  problems: WITH_SESSION,
} as const

/** `GET /v1/sessions` */
export const LIST_SESSIONS = {
  schema: {
    operationId: 'listSessions',
    tags: ['sign-in'],
    summary: 'The sessions of the user',
    security: SIGNED_IN,
    response: { 200: ref(SESSION_LIST) },
  },
  problems: WITH_SESSION,
} as const

/** `DELETE /v1/sessions/<id>` */
export const END_SESSION = {
  schema: {
    operationId: 'endSession',
    tags: ['sign-in'],
    summary: 'End a session',
    security: SIGNED_IN,
    params: SESSION_PARAMS,
    response: { 200: ref(SESSION_END) },
  },
  problems: ['cross_site', ...WITH_SESSION],
} as const

/** `POST /v1/auth/logout` */
export const LOG_OUT = {
  schema: {
    operationId: 'logOut',
    tags: ['sign-in'],
    summary: 'Sign out',
    description:
      'Ends the session of the cookie. Browsers are redirected to the identity provider to end its session, too; programs get that address in the response.',
    response: { 200: ref(SIGNED_OUT) },
  },
  problems: ['cross_site', ...ALWAYS],
} as const

/** `POST /v1/auth/device` */
export const BEGIN_DEVICE = {
  schema: {
    operationId: 'beginDevice',
    tags: ['sign-in'],
    summary: 'Sign in a tool: request a code',
    description: 'The device authorization grant (RFC 8628). The body is a form, and may be empty.',
    response: { 200: ref(DEVICE_AUTHORIZATION) },
  },
  problems: ['rate_limited', ...ALWAYS],
} as const

/** `POST /v1/auth/token` */
export const GIVE_TOKENS = {
  schema: {
    operationId: 'giveTokens',
    tags: ['sign-in'],
    summary: 'Sign in a tool: request the tokens',
    description:
      'A form with `grant_type=urn:ietf:params:oauth:grant-type:device_code` and `device_code`, or with `grant_type=refresh_token` and `refresh_token`.',
    response: { 200: ref(TOOL_TOKENS), 400: ref(OAUTH_ERROR) },
  },
  problems: ALWAYS,
} as const

/** `POST /v1/auth/revoke` */
export const REVOKE_TOKEN = {
  schema: {
    operationId: 'revokeToken',
    tags: ['sign-in'],
    summary: 'Sign out a tool',
    description:
      'A form with `token`: the access token or refresh token of the tool (RFC 7009). An unknown token is not an error.',
    response: { 200: ref(REVOKED) },
  },
  problems: ALWAYS,
} as const
