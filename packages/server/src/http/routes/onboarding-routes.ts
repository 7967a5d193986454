import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.js'
import type { CompletionRequest, ConnectionRequest, Onboarding } from '../../onboarding/onboarding.js'
import type { Settings } from '../../settings/settings.js'
import { ignoreContentType, readJsonBody } from '../body.js'
import { allow, createLimiter, type Limiter } from '../rate-limit.js'
import { requesterOf, subscriberOf } from '../requester/address.js'
import { requireBearerToken } from '../requester/authorization.js'
import type { CompletionBody, CompletionParams, ConnectionBody, ExchangeQuery } from '../schemas/onboarding.js'
import { COMPLETE, EXCHANGE, OPEN, READ_TEST, START_TEST } from '../schemas/onboarding-operations.js'
import { SETUP, type Setup } from '../schemas/service.js'

export interface OnboardingRoutesOptions {
  readonly onboarding: Onboarding
  readonly settings: Pick<Settings, 'limitCodeTries' | 'limitCalls'>
  readonly clock: Clock
}

/** The routes of onboarding. Step 3 happens at the identity provider. */
export function addOnboardingRoutes(
  app: FastifyInstance,
  { onboarding, settings, clock }: OnboardingRoutesOptions,
): void {
  const codeTries = createLimiter({ limit: settings.limitCodeTries, clock })
  const withToken = tokenHooks(createLimiter({ limit: settings.limitCalls, clock }))

  app.get<{ Querystring: ExchangeQuery }>('/v1/auth/validate', {
    config: { host: 'onboard', problems: EXCHANGE.problems },
    schema: EXCHANGE.schema,
    onRequest: async (request, reply) => {
      allow(codeTries, subscriberOf(requesterOf(request).address), reply, 'attempts to enter a code')
    },
    handler: (request) => onboarding.exchangeCode(request.query.code, requesterOf(request)),
  })

  app.post<{ Body: ConnectionBody }>('/v1/api/oauth', {
    ...withToken,
    config: { host: 'onboard', problems: OPEN.problems },
    schema: OPEN.schema,
    handler: (request) => {
      // Field by field: other fields of the body are dropped.
      const { well_known_url, domain, org_name } = request.body
      const connection: ConnectionRequest = { well_known_url, domain, org_name }
      return onboarding.openTransaction(request.bearerToken, connection, requesterOf(request))
    },
  })

  app.post<{ Params: CompletionParams; Body: CompletionBody }>('/v1/api/oauth/:transaction_id/onboard', {
    ...withToken,
    config: { host: 'onboard', problems: COMPLETE.problems },
    schema: COMPLETE.schema,
    handler: (request) => {
      const { client_id, client_secret } = request.body
      const completion: CompletionRequest = { client_id, client_secret }
      return onboarding.complete(request.bearerToken, request.params.transaction_id, completion, requesterOf(request))
    },
  })

  app.post<{ Params: CompletionParams; Body: CompletionBody }>('/v1/api/oauth/:transaction_id/test', {
    ...withToken,
    config: { host: 'onboard', problems: START_TEST.problems },
    schema: START_TEST.schema,
    handler: (request) => {
      const { client_id, client_secret } = request.body
      const client: CompletionRequest = { client_id, client_secret }
      return onboarding.startTest(request.bearerToken, request.params.transaction_id, client, requesterOf(request))
    },
  })

  app.get<{ Params: CompletionParams }>('/v1/api/oauth/:transaction_id/test', {
    onRequest: withToken.onRequest,
    config: { host: 'onboard', problems: READ_TEST.problems },
    schema: READ_TEST.schema,
    handler: (request) => onboarding.readTest(request.bearerToken, request.params.transaction_id),
  })
}

/** The hooks of routes with a token: they check the token first, then its rate limit, then the body. */
function tokenHooks(requests: Limiter) {
  return {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      request.bearerToken = requireBearerToken(request.raw)
      allow(requests, digest(request.bearerToken), reply, 'requests with this token')
      await ignoreContentType(request)
    },
    preValidation: readJsonBody,
  }
}

/** The key of a token in the rate limiter: short and not secret, unlike the token. */
function digest(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** The addresses of the service, for its pages: administrators enter them at the identity provider, users in their tools. */
export function addSetupRoute(app: FastifyInstance, settings: Pick<Settings, 'baseUrl' | 'appUrl'>): void {
  const setup: Setup = { base_url: settings.baseUrl, app_url: settings.appUrl, test_sign_in: true }
  app.get('/v1/setup.json', {
    config: { host: ['onboard', 'base', 'app'], problems: ['not_found', 'method_not_allowed'] },
    schema: {
      operationId: 'setup',
      tags: ['onboarding'],
      summary: 'The addresses of the service, for its pages',
      response: { 200: { $ref: `${SETUP.$id}#` } },
    },
    handler: () => setup,
  })
}
