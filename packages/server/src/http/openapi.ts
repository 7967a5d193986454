import fastifySwagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings/settings.js'
import { VERSION } from '../version.js'
import { API_TOKEN_MESSAGES } from './schemas/api-tokens.js'
import { CATALOGUE_RULE, RULE_CATALOGUE } from './schemas/catalogue.js'
import {
  COMPLETION,
  COMPLETION_REQUEST,
  CONNECTION_REQUEST,
  ONBOARDING_TOKEN,
  OPENED_TRANSACTION,
  SIGN_IN_TEST,
  SIGN_IN_TEST_REPORT,
} from './schemas/onboarding.js'
import { ORGANIZATION_MESSAGES } from './schemas/organization.js'
import { ORGANIZATION_CONNECTION_MESSAGES } from './schemas/organization-connection.js'
import { errorResponses, PROBLEM } from './schemas/problem.js'
import { RELEASE_MESSAGES } from './schemas/releases.js'
import { HEALTH, SETUP } from './schemas/service.js'
import {
  DEVICE_AUTHORIZATION,
  ME,
  OAUTH_ERROR,
  REVOKED,
  SESSION_END,
  SESSION_LIST,
  SIGNED_OUT,
  TOOL_TOKENS,
} from './schemas/sign-in.js'

/** Every message of the API. */
export const MESSAGES = [
  ONBOARDING_TOKEN,
  CONNECTION_REQUEST,
  OPENED_TRANSACTION,
  COMPLETION_REQUEST,
  COMPLETION,
  SIGN_IN_TEST,
  SIGN_IN_TEST_REPORT,
  SETUP,
  ...RELEASE_MESSAGES,
  RULE_CATALOGUE,
  CATALOGUE_RULE,
  ME,
  SESSION_LIST,
  SESSION_END,
  SIGNED_OUT,
  ...ORGANIZATION_MESSAGES,
  ...API_TOKEN_MESSAGES,
  ...ORGANIZATION_CONNECTION_MESSAGES,
  DEVICE_AUTHORIZATION,
  TOOL_TOKENS,
  REVOKED,
  OAUTH_ERROR,
  HEALTH,
  PROBLEM,
] as const

const DESCRIPTION =
  'Connect the identity provider of an organization with OpenID Connect: exchange a code for a token, submit the identity provider, ' +
  'create an OAuth web application there, submit its client. Bodies are JSON; `Content-Type` is ignored. Every error is a ' +
  'problem document (RFC 9457) with a stable `code`.'

/** Makes the OpenAPI document from the schemas of the routes that are added afterwards. */
export async function describeApi(
  app: FastifyInstance,
  settings: Pick<Settings, 'onboardUrl'>,
  docsUrl: string,
): Promise<void> {
  for (const message of MESSAGES) app.addSchema(message)
  await app.register(fastifySwagger, {
    convertConstToEnum: false,
    // Problems are only described: they are sent by one function, without the serializer of the route.
    transform: ({ schema = {}, url, route }) => {
      const problems = errorResponses(docsUrl, route.config?.problems ?? [])
      return { schema: { ...schema, response: { ...(schema.response ?? {}), ...problems } }, url }
    },
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Omen onboarding',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: settings.onboardUrl }],
      tags: [
        { name: 'onboarding', description: 'Requests of the administrator who connects an identity provider.' },
        {
          name: 'sign-in',
          description: 'Requests of signed-in users and of their tools, on the host of sign-in.',
        },
        {
          name: 'administration',
          description: 'Requests of administrators about their own organization, on the host of sign-in.',
        },
        { name: 'releases', description: 'The newest rules and the newest tool, and their files. For programs.' },
        { name: 'operation', description: 'Requests of the operator’s machines.' },
      ],
      components: {
        securitySchemes: {
          onboardingToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of step 1.' },
          releaseToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'A token of an organization, as `omen-server token issue` prints it: `omen_…`.',
          },
          apiToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API token of the organization with the named scope: `omen_…`.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-omen_session',
            description: 'The cookie that sign-in sets.',
          },
          accessToken: { type: 'http', scheme: 'bearer', description: 'The access token of a tool.' },
        },
      },
    },
    refResolver: { buildLocalReference: (schema, _uri, _fragment, index) => String(schema.$id ?? `Schema${index}`) },
  })
}
