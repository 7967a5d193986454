import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Onboarding, TestOutcome } from '../../onboarding/onboarding.js'
import { Problem } from '../../problem.js'
import type { Settings } from '../../settings/settings.js'
import { createBrowserCookie } from '../browser-cookie.js'
import { callerOf } from '../caller.js'
import { sendNotice, wantsPage } from '../pages/notice-page.js'
import { pageErrors } from '../pages/page-errors.js'

const HOUR_SECONDS = 3600

export interface SignInRoutesOptions {
  readonly onboarding: Pick<Onboarding, 'beginTest' | 'finishTest'>
  readonly settings: Pick<Settings, 'baseUrl'>
}

/**
 * The addresses that people's browsers open. Those that are entered at the identity provider exist from the start, so that nobody
 * enters a dead one.
 */
export function addSignInRoutes(app: FastifyInstance, { onboarding, settings }: SignInRoutesOptions): void {
  const cookie = createBrowserCookie(settings)
  const common = { config: { host: 'base' as const }, schema: { hide: true }, errorHandler: pageErrors }
  // Whoever looks at a link without opening it must not use up a sign-in.
  const options = { ...common, exposeHeadRoute: false }

  app.route({ method: ['GET', 'POST'], url: '/v1/auth/login', ...common, handler: notYet })

  app.get<{ Params: { link: string } }>('/v1/auth/test/:link', {
    ...options,
    handler: async (request, reply) => {
      const url = await onboarding.beginTest(request.params.link, cookie.ensure(request, reply))
      return reply.redirect(url, 303)
    },
  })

  app.get<{ Params: { uuid: string } }>('/v1/auth/callback/:uuid', {
    ...options,
    handler: async (request, reply) => {
      const back = { callbackId: request.params.uuid, query: queryOf(request), browser: cookie.read(request) }
      return tell(await onboarding.finishTest(back, callerOf(request)), request, reply)
    },
  })
}

async function notYet(): Promise<never> {
  throw new Problem('unavailable', 'Sign-in is not available yet. The connection itself is kept.', {
    retryAfter: HOUR_SECONDS,
  })
}

/** As it was sent: of a parameter that is there twice, both are seen. */
function queryOf({ originalUrl }: FastifyRequest): URLSearchParams {
  const start = originalUrl.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : originalUrl.slice(start + 1))
}

function tell(outcome: TestOutcome, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (outcome.status === 'passed') {
    request.log.info('a test sign-in passed')
    return sendNotice(reply, 200, {
      tone: 'good',
      title: 'It works.',
      sentences: [
        `${outcome.email} signed in.`,
        'Go back to the set-up page. This was a test: it made no account and no session.',
      ],
    })
  }
  request.log.info({ reason: outcome.reason }, 'a test sign-in failed')
  if (!wantsPage(request)) throw new Problem('bad_request', outcome.detail)
  return sendNotice(reply, 400, {
    tone: 'bad',
    title: 'The sign-in did not work.',
    sentences: [
      outcome.detail,
      'Nothing has changed. Correct this, then go back to the set-up page and start another test.',
    ],
    reference: request.id,
  })
}
