import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../settings/settings.js'
import { SETUP, type Setup } from '../schemas/setup.js'

/** Tells the pages the addresses of the service: what an administrator enters at the identity provider, and people in their tools. */
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
