import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Administration } from '../../administration/administration.js'
import { connectionPage } from '../../administration/test-connection.js'
import type { Clock } from '../../clock.js'
import type { Onboarding, TestOutcome } from '../../onboarding/onboarding.js'
import { Problem } from '../../problem.js'
import type { LoginOutcome, Sessions } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { fieldOf, ignoreType, readForm, readQuery } from '../body.js'
import { pageErrors, pageErrorsWith } from '../errors/page-errors.js'
import type { Metrics } from '../observing/metrics.js'
import { sendFormPage } from '../pages/form-page.js'
import { sendNotice, wantsPage } from '../pages/notice-page.js'
import { signInPage } from '../pages/sign-in-page.js'
import { allow, createLimiter } from '../rate-limit.js'
import { callerOf, subscriberOf, visitorOf } from '../requester/address.js'
import { createBrowserCookie, createSessionCookie } from '../requester/cookies.js'
import { type CallbackParams, COME_BACK } from '../schemas/sign-in-operations.js'

export interface SignInRoutesOptions {
  readonly onboarding: Pick<Onboarding, 'beginTest' | 'finishTest'>
  readonly administration: Pick<Administration, 'beginTest' | 'finishTest'>
  readonly sessions: Pick<Sessions, 'begin' | 'finish'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl' | 'limitSignIns'>
  readonly metrics: Pick<Metrics, 'signIn'>
  readonly clock: Clock
}

/** The addresses at which people's browsers begin a sign-in and come back from one. */
export function addSignInRoutes(app: FastifyInstance, options: SignInRoutesOptions): void {
  const { onboarding, administration, sessions, settings, metrics } = options
  const browserCookie = createBrowserCookie(settings)
  const sessionCookie = createSessionCookie(settings)
  const common = { config: { host: 'base' as const }, schema: { hide: true }, errorHandler: pageErrors }
  // Whoever looks at a link without opening it must not use up a sign-in.
  const noHead = { ...common, exposeHeadRoute: false }
  addLogin(app, options, common)

  app.get<{ Params: { link: string } }>('/v1/auth/test/:link', {
    ...noHead,
    handler: async (request, reply) => {
      const { link } = request.params
      const browser = browserCookie.ensure(request, reply)
      const url = (await administration.beginTest(link, browser)) ?? (await onboarding.beginTest(link, browser))
      return reply.redirect(url, 303)
    },
  })

  app.get<{ Params: CallbackParams }>('/v1/auth/callback/:uuid', {
    ...noHead,
    config: { ...common.config, problems: COME_BACK.problems },
    schema: COME_BACK.schema,
    errorHandler: pageErrorsWith(NOT_SIGNED_IN),
    handler: async (request, reply) => {
      const back = {
        callbackId: request.params.uuid,
        query: readQuery(request),
        browser: browserCookie.read(request),
      }
      const outcome = await sessions.finish(back, sessionCookie.read(request), visitorOf(request)).catch((error) => {
        metrics.signIn(error instanceof Problem ? error.code : 'internal')
        throw error
      })
      // What is no login is the test of a connection: of one that is to replace another, or of a first one.
      const replacement = outcome === undefined ? await administration.finishTest(back, callerOf(request)) : undefined
      if (replacement !== undefined) return tellReplacement(replacement, request, reply, settings)
      if (outcome === undefined) return tellTest(await onboarding.finishTest(back, callerOf(request)), request, reply)
      metrics.signIn(outcome.status === 'signed_in' ? 'ok' : outcome.reason)
      if (outcome.status === 'refused') return tellRefusal(outcome, request, reply)
      request.log.info('a sign-in succeeded')
      sessionCookie.set(reply, 'base', outcome.cookie)
      return reply.redirect(wayTo(outcome.target, settings), 303)
    },
  })
}

/** `GET|POST /v1/auth/login`: begun by people, by applications, by identity providers. */
function addLogin(
  app: FastifyInstance,
  { sessions, settings, clock }: SignInRoutesOptions,
  common: { readonly errorHandler: typeof pageErrors },
): void {
  const browserCookie = createBrowserCookie(settings)
  const limiter = createLimiter({ limit: settings.limitSignIns, clock })
  const isInsecure = settings.baseUrl.startsWith('http:')

  app.route({
    method: ['GET', 'POST'],
    url: '/v1/auth/login',
    ...common,
    onRequest: async (request, reply) => {
      allow(limiter, subscriberOf(callerOf(request).address), reply, 'sign-ins from this address')
      await ignoreType(request, reply)
    },
    handler: async (request, reply) => {
      const fields = request.method === 'POST' ? readForm(request) : readQuery(request)
      // Browsers keep the cookie back where another site sends a form. Asked again with GET, they show it.
      if (request.method === 'POST' && browserCookie.read(request) === undefined) {
        browserCookie.ensure(request, reply)
        return reply.redirect(`/v1/auth/login?${onlyKnown(fields)}`, 303)
      }
      const email = fieldOf(fields, 'email') ?? fieldOf(fields, 'login_hint')
      const target = fieldOf(fields, 'target_link_uri')
      const login = { email, issuer: fieldOf(fields, 'iss'), targetLinkUri: target }
      const step = await sessions.begin(login, browserCookie.ensure(request, reply))
      if (step.step === 'go') return reply.redirect(step.url, 303)
      const isUnknown = step.reason === 'unknown_address'
      if (isUnknown && !wantsPage(request)) {
        throw new Problem('not_found', 'No organization is connected for this address.')
      }
      const page = signInPage({ email, target, reason: step.reason, isInsecure })
      return sendFormPage(reply, isUnknown ? 404 : 200, page)
    },
  })
}

const LOGIN_FIELDS = ['iss', 'login_hint', 'email', 'target_link_uri']

function onlyKnown(fields: URLSearchParams): string {
  const known = LOGIN_FIELDS.flatMap((name) => {
    const value = fieldOf(fields, name)
    return value === undefined ? [] : [[name, value] as [string, string]]
  })
  return new URLSearchParams(known).toString()
}

/** A cookie belongs to one host: where the app has another, the way there leads through the address that gives it one, too. */
export function wayTo(target: string, { baseUrl, appUrl }: Pick<Settings, 'baseUrl' | 'appUrl'>): string {
  const url = new URL(target)
  if (url.origin === new URL(baseUrl).origin) return target
  const way = new URL('/v1/auth/enter', appUrl)
  way.searchParams.set('to', `${url.pathname}${url.search}${url.hash}`)
  return way.href
}

/** What stands above and below the reason. */
const NOT_SIGNED_IN = {
  title: 'You could not be signed in.',
  link: { href: '/v1/auth/login', text: 'To the sign-in page' },
} as const

/** Refusals that say nothing about the person: the other side is out of order. */
const OUT_OF_ORDER = new Set(['provider_unavailable', 'keys_unavailable', 'userinfo_unavailable'])

function tellRefusal(
  { reason, detail }: Extract<LoginOutcome, { status: 'refused' }>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = new Problem(OUT_OF_ORDER.has(reason) ? 'idp_unavailable' : 'sign_in_refused', detail)
  request.log.info({ reason }, 'a sign-in was refused')
  if (!wantsPage(request)) throw problem
  reply.problemCode = problem.code
  return sendNotice(reply, problem.status, {
    tone: 'bad',
    sentences: [detail, 'If you cannot solve this yourself, send your administrator this page.'],
    reference: request.id,
    ...NOT_SIGNED_IN,
  })
}

/** The page of the connection tells what came of it; where there is no browser, the answer does. */
function tellReplacement(
  outcome: TestOutcome,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Pick<Settings, 'baseUrl' | 'appUrl'>,
): FastifyReply {
  const reason = outcome.status === 'failed' ? { reason: outcome.reason } : {}
  request.log.info(reason, `a test of the next connection ${outcome.status}`)
  if (outcome.status === 'failed' && !wantsPage(request)) throw new Problem('bad_request', outcome.detail)
  return reply.redirect(connectionPage({ urls: settings }), 303)
}

function tellTest(outcome: TestOutcome, request: FastifyRequest, reply: FastifyReply): FastifyReply {
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
