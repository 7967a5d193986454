import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Administration } from '../../administration/administration.js'
import type { Clock } from '../../clock.js'
import type { Onboarding } from '../../onboarding/onboarding.js'
import type { TestOutcome } from '../../organizations/sign-in-test.js'
import { connectionPage } from '../../organizations/urls.js'
import { Problem } from '../../problem.js'
import type { LoginOutcome, Sessions } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { fieldOf, ignoreContentType, readForm, readQuery } from '../body.js'
import { pageErrors, pageErrorsWith } from '../errors/page-errors.js'
import type { Metrics } from '../observing/metrics.js'
import { sendFormPage } from '../pages/form-page.js'
import { sendNotice, wantsPage } from '../pages/notice-page.js'
import { signInPage } from '../pages/sign-in-page.js'
import { allow, createLimiter } from '../rate-limit.js'
import { requesterOf, subscriberOf } from '../requester/address.js'
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

/** The addresses at which browsers start a sign-in and return from the identity provider. */
export function addSignInRoutes(app: FastifyInstance, options: SignInRoutesOptions): void {
  const { onboarding, administration, sessions, settings, metrics } = options
  const browserCookie = createBrowserCookie(settings)
  const sessionCookie = createSessionCookie(settings)
  const common = { config: { host: 'base' as const }, schema: { hide: true }, errorHandler: pageErrors }
  // A HEAD request, such as a link preview, must not use up a sign-in.
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
      const callback = {
        callbackId: request.params.uuid,
        query: readQuery(request),
        browser: browserCookie.read(request),
      }
      const outcome = await sessions
        .finish(callback, sessionCookie.read(request), requesterOf(request))
        .catch((error) => {
          metrics.signIn(error instanceof Problem ? error.code : 'internal')
          throw error
        })
      // A callback that is not a login belongs to the test of a connection: of a replacement, or of the first one.
      const replacement =
        outcome === undefined ? await administration.finishTest(callback, requesterOf(request)) : undefined
      if (replacement !== undefined) return answerReplacementTest(replacement, request, reply, settings)
      if (outcome === undefined)
        return answerTest(await onboarding.finishTest(callback, requesterOf(request)), request, reply)
      metrics.signIn(outcome.status === 'signed_in' ? 'ok' : outcome.reason)
      if (outcome.status === 'failed') return answerFailedSignIn(outcome, request, reply)
      request.log.info('sign-in succeeded')
      sessionCookie.set(reply, 'base', outcome.cookie)
      return reply.redirect(urlTo(outcome.target, settings), 303)
    },
  })
}

/** `GET|POST /v1/auth/login`: started by users, applications or identity providers. */
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
      allow(limiter, subscriberOf(requesterOf(request).address), reply, 'sign-ins from this address')
      await ignoreContentType(request)
    },
    handler: async (request, reply) => {
      const fields = request.method === 'POST' ? readForm(request) : readQuery(request)
      // Browsers do not send the cookie with a form of another site. After a redirect to GET they do.
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

/** The target, or the address that sets a cookie on the host of the app first, if that is another host. */
export function urlTo(target: string, { baseUrl, appUrl }: Pick<Settings, 'baseUrl' | 'appUrl'>): string {
  const url = new URL(target)
  if (url.origin === new URL(baseUrl).origin) return target
  const enter = new URL('/v1/auth/enter', appUrl)
  enter.searchParams.set('to', `${url.pathname}${url.search}${url.hash}`)
  return enter.href
}

/** The title and the link of the page. */
const NOT_SIGNED_IN = {
  title: 'Sign-in failed.',
  link: { href: '/v1/auth/login', text: 'To the sign-in page' },
} as const

/** Reasons that do not concern the user: the identity provider does not work. */
const PROVIDER_FAILURES = new Set(['provider_unavailable', 'keys_unavailable', 'userinfo_unavailable'])

function answerFailedSignIn(
  { reason, detail }: Extract<LoginOutcome, { status: 'failed' }>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = new Problem(PROVIDER_FAILURES.has(reason) ? 'idp_unavailable' : 'sign_in_refused', detail)
  request.log.info({ reason }, 'sign-in failed')
  if (!wantsPage(request)) throw problem
  reply.problemCode = problem.code
  return sendNotice(reply, problem.status, {
    tone: 'bad',
    sentences: [detail, 'If you cannot solve this yourself, send this page to your administrator.'],
    reference: request.id,
    ...NOT_SIGNED_IN,
  })
}

/** The page of the connection shows the result to a browser; other clients get it in the response. */
function answerReplacementTest(
  outcome: TestOutcome,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Pick<Settings, 'baseUrl' | 'appUrl'>,
): FastifyReply {
  const reason = outcome.status === 'failed' ? { reason: outcome.reason } : {}
  request.log.info(reason, `test of the next connection ${outcome.status}`)
  if (outcome.status === 'failed' && !wantsPage(request)) throw new Problem('bad_request', outcome.detail)
  return reply.redirect(connectionPage({ urls: settings }), 303)
}

function answerTest(outcome: TestOutcome, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (outcome.status === 'passed') {
    request.log.info('test sign-in passed')
    return sendNotice(reply, 200, {
      tone: 'good',
      title: 'It works.',
      sentences: [
        `${outcome.email} signed in.`,
        'Go back to the set-up page. This was a test: it created no account and no session.',
      ],
    })
  }
  request.log.info({ reason: outcome.reason }, 'test sign-in failed')
  if (!wantsPage(request)) throw new Problem('bad_request', outcome.detail)
  return sendNotice(reply, 400, {
    tone: 'bad',
    title: 'The sign-in failed.',
    sentences: [
      outcome.detail,
      'Nothing has changed. Correct this, then go back to the set-up page and start another test.',
    ],
    reference: request.id,
  })
}
