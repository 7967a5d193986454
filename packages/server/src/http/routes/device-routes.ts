import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.js'
import type { Devices, TokenError } from '../../devices/devices.js'
import type { Sessions } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { fieldOf, ignoreContentType, readForm, readQuery } from '../body.js'
import { pageErrors } from '../errors/page-errors.js'
import { sendOAuthError } from '../errors/problem-response.js'
import { approvalPage, codePage } from '../pages/device-page.js'
import { sendFormPage } from '../pages/form-page.js'
import { sendNotice } from '../pages/notice-page.js'
import { allow, createLimiter } from '../rate-limit.js'
import { requesterOf, subscriberOf } from '../requester/address.js'
import { createSameSiteCheck } from '../requester/same-site.js'
import { createUserFinder } from '../requester/signed-in-user.js'
import { BEGIN_DEVICE, GIVE_TOKENS, REVOKE_TOKEN } from '../schemas/sign-in-operations.js'

export interface DeviceRoutesOptions {
  readonly devices: Devices
  readonly sessions: Pick<Sessions, 'read'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl' | 'limitSignIns'>
  readonly clock: Clock
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The descriptions of the errors that the standards define. */
const TOKEN_ERRORS: Readonly<Record<TokenError, string>> = {
  authorization_pending: 'The sign-in has not been approved yet.',
  slow_down: 'Requested too soon: wait five seconds longer between requests.',
  expired_token: 'The sign-in was not approved in time. Start again.',
  access_denied: 'The sign-in was denied.',
  invalid_grant: 'The code or token is unknown, was used, or was revoked. Sign in again.',
}

/** Sign-in for the tool, which has no browser (RFC 8628), and the page on which the user approves it. */
export function addDeviceRoutes(app: FastifyInstance, options: DeviceRoutesOptions): void {
  const { devices, settings, clock } = options
  const requests = createLimiter({ limit: settings.limitSignIns, clock })

  app.post('/v1/auth/device', {
    config: { host: 'base', problems: BEGIN_DEVICE.problems },
    schema: BEGIN_DEVICE.schema,
    onRequest: async (request, reply) => {
      allow(requests, subscriberOf(requesterOf(request).address), reply, 'sign-ins from this address')
      await ignoreContentType(request)
    },
    handler: (request) => devices.begin(requesterOf(request)),
  })

  app.post('/v1/auth/token', {
    config: { host: 'base', problems: GIVE_TOKENS.problems },
    schema: GIVE_TOKENS.schema,
    onRequest: ignoreContentType,
    handler: (request, reply) => giveTokens(devices, request, reply),
  })

  app.post('/v1/auth/revoke', {
    config: { host: 'base', problems: REVOKE_TOKEN.problems },
    schema: REVOKE_TOKEN.schema,
    onRequest: ignoreContentType,
    handler: async (request) => {
      await devices.revoke(fieldOf(readForm(request), 'token') ?? '', requesterOf(request))
      return { status: 'revoked' }
    },
  })

  addApproval(app, options)
}

async function giveTokens(devices: Devices, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const form = readForm(request)
  const grant = fieldOf(form, 'grant_type')
  const field = grant === DEVICE_GRANT ? 'device_code' : 'refresh_token'
  if (grant !== DEVICE_GRANT && grant !== 'refresh_token') {
    return sendOAuthError(reply, 'unsupported_grant_type', `grant_type must be ${DEVICE_GRANT} or refresh_token.`)
  }
  const value = fieldOf(form, field)
  if (value === undefined) return sendOAuthError(reply, 'invalid_request', `${field} is missing.`)
  const requester = requesterOf(request)
  const result = await (grant === DEVICE_GRANT ? devices.exchange(value, requester) : devices.refresh(value, requester))
  return typeof result === 'string' ? sendOAuthError(reply, result, TOKEN_ERRORS[result]) : result
}

function addApproval(app: FastifyInstance, options: DeviceRoutesOptions): void {
  const { devices, settings, clock } = options
  const users = createUserFinder(options)
  const checkSameSite = createSameSiteCheck(settings)
  const tries = createLimiter({ limit: settings.limitSignIns, clock })
  const page = { config: { host: 'base' as const }, schema: { hide: true }, errorHandler: pageErrors }
  const toSignIn = (code: string | undefined) => {
    const target = `${settings.baseUrl}/device${code === undefined ? '' : `?${new URLSearchParams({ user_code: code })}`}`
    return `/v1/auth/login?${new URLSearchParams({ target_link_uri: target })}`
  }
  // Codes are short: tries are counted per address and per user, against guessing.
  const countTry = (request: FastifyRequest, reply: FastifyReply, userId: string) => {
    for (const key of [subscriberOf(requesterOf(request).address), userId])
      allow(tries, key, reply, 'attempts to enter a code')
  }

  app.get('/device', {
    ...page,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const typed = fieldOf(readQuery(request), 'user_code')
      const user = await users.byCookie(request)
      if (!user) return reply.redirect(toSignIn(typed?.slice(0, 20)), 303)
      if (typed === undefined) return sendFormPage(reply, 200, codePage({ user, typed }))
      countTry(request, reply, user.userId)
      const tool = await devices.find(typed)
      if (!tool) return sendFormPage(reply, 404, codePage({ user, typed }))
      return sendFormPage(reply, 200, approvalPage({ user, tool }))
    },
  })

  app.post('/device', {
    ...page,
    onRequest: async (request) => {
      checkSameSite(request)
      await ignoreContentType(request)
    },
    handler: async (request, reply) => {
      const form = readForm(request)
      const typed = fieldOf(form, 'user_code') ?? ''
      const user = await users.byCookie(request)
      if (!user) return reply.redirect(toSignIn(typed.slice(0, 20)), 303)
      countTry(request, reply, user.userId)
      // Every other value denies.
      const isApproved = fieldOf(form, 'decision') === 'approve'
      const isDone = await devices.decide(user, typed, isApproved ? 'approve' : 'deny', requesterOf(request))
      if (!isDone) return sendFormPage(reply, 404, codePage({ user, typed }))
      return sendNotice(reply, 200, isApproved ? APPROVED : DENIED)
    },
  })
}

const APPROVED = {
  tone: 'good',
  title: 'The tool is signed in.',
  sentences: ['Go back to your terminal. You can end this session at any time.'],
  link: { href: '/sessions', text: 'Your sessions' },
} as const

const DENIED = {
  tone: 'good',
  title: 'Denied.',
  sentences: ['The tool was not signed in. If you did not expect this request, tell your administrator.'],
} as const
