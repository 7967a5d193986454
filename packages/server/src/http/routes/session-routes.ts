import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Devices } from '../../devices/devices.js'
import { Problem } from '../../problem.js'
import type { SessionRecord, Sessions, User } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { fieldOf, ignoreContentType, readForm } from '../body.js'
import { pageErrors } from '../errors/page-errors.js'
import { sendOAuthError } from '../errors/problem-response.js'
import { sendNotice, wantsPage } from '../pages/notice-page.js'
import { requesterOf } from '../requester/address.js'
import { createSessionCookie } from '../requester/cookies.js'
import { createSameSiteCheck } from '../requester/same-site.js'
import { createUserFinder } from '../requester/signed-in-user.js'
import type { MeBody, SessionListBody, SessionParams, SignedOutBody } from '../schemas/sign-in.js'
import { END_SESSION, LIST_SESSIONS, LOG_OUT, READ_ME } from '../schemas/sign-in-operations.js'

export interface SessionRoutesOptions {
  readonly sessions: Sessions
  readonly devices: Pick<Devices, 'read'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl'>
}

/** Users are signed in on the host of sign-in and on the host of the app. */
const HOSTS = ['base', 'app'] as const

/** The routes of signed-in users: who they are, their sessions, and sign-out. */
export function addSessionRoutes(app: FastifyInstance, options: SessionRoutesOptions): void {
  const { sessions, settings } = options
  const users = createUserFinder(options)
  const checkSameSite = createSameSiteCheck(settings)
  const changing = async (request: FastifyRequest) => {
    checkSameSite(request)
    await ignoreContentType(request)
  }

  app.get('/v1/me', {
    config: { host: HOSTS, problems: READ_ME.problems },
    schema: READ_ME.schema,
    handler: async (request) => meOf(await users.require(request)),
  })

  app.get('/v1/sessions', {
    config: { host: HOSTS, problems: LIST_SESSIONS.problems },
    schema: LIST_SESSIONS.schema,
    handler: async (request) => listOf(await sessions.list(await users.require(request))),
  })

  app.delete<{ Params: SessionParams }>('/v1/sessions/:id', {
    config: { host: HOSTS, problems: END_SESSION.problems },
    schema: END_SESSION.schema,
    onRequest: changing,
    handler: async (request) => {
      const user = await users.require(request)
      if (await sessions.end(user, request.params.id, requesterOf(request))) return { status: 'ended' }
      throw new Problem('not_found', 'You have no such session: it has ended, or it belongs to another user.')
    },
  })

  addLogOut(app, options, changing)
}

type Hook = (request: FastifyRequest) => Promise<void>

const PAGE = { config: { host: HOSTS }, schema: { hide: true }, errorHandler: pageErrors } as const

function addLogOut(app: FastifyInstance, { sessions, settings }: SessionRoutesOptions, changing: Hook): void {
  const cookie = createSessionCookie(settings)

  app.post('/v1/auth/logout', {
    config: { host: HOSTS, problems: LOG_OUT.problems },
    schema: LOG_OUT.schema,
    errorHandler: pageErrors,
    onRequest: changing,
    handler: async (request, reply): Promise<SignedOutBody | FastifyReply> => {
      const { providerUrl } = await sessions.logOut(cookie.read(request), requesterOf(request))
      cookie.clear(reply)
      if (wantsPage(request)) return reply.redirect(providerUrl ?? '/v1/auth/signed-out', 303)
      return { status: 'signed_out', ...(providerUrl !== undefined && { logout_url: providerUrl }) }
    },
  })

  app.get('/v1/auth/signed-out', {
    ...PAGE,
    handler: (_, reply) =>
      sendNotice(reply, 200, {
        tone: 'good',
        title: 'You are signed out.',
        sentences: ['On a shared computer, also close the browser.'],
        link: { href: `${settings.baseUrl}/v1/auth/login`, text: 'Sign in again' },
      }),
  })
}

function meOf({ email, name, org }: User): MeBody {
  return { email, name: name ?? email, org: { name: org.name, domain: org.domain } }
}

function listOf(sessions: readonly SessionRecord[]): SessionListBody {
  return {
    sessions: sessions.map(({ id, kind, current, address, agent, createdAt, seenAt, expiresAt }) => ({
      id,
      kind,
      current,
      address,
      agent,
      created_at: createdAt.toISOString(),
      last_seen_at: seenAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    })),
  }
}

/** The address at which identity providers end sessions (OpenID Connect Back-Channel Logout 1.0). */
export function addBackChannelRoute(
  app: FastifyInstance,
  { sessions }: { readonly sessions: Pick<Sessions, 'logOutByProvider'> },
): void {
  app.post<{ Params: { uuid: string } }>('/v1/auth/backchannel/:uuid', {
    config: { host: 'base' },
    schema: { hide: true },
    onRequest: ignoreContentType,
    handler: async (request, reply) => {
      const token = fieldOf(readForm(request), 'logout_token')
      try {
        await sessions.logOutByProvider(request.params.uuid, token, requesterOf(request))
        return reply.code(200).send()
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'bad_request') throw error
        request.log.info({ reason: error.message }, 'logout token rejected')
        return sendOAuthError(reply, 'invalid_request', error.message)
      }
    },
  })
}
