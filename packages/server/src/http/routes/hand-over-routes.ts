import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../problem.js'
import { chooseTarget } from '../../sessions/begin-login.js'
import type { Sessions } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { fieldOf, readQuery } from '../body.js'
import { pageErrors } from '../errors/page-errors.js'
import { createBrowserCookie, createSessionCookie } from '../requester/cookies.js'

export interface HandOverRoutesOptions {
  readonly sessions: Pick<Sessions, 'beginHandOver' | 'finishHandOver'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl'>
}

/**
 * Moves a session from the host of sign-in to the host of the app, if they differ: the app binds the browser with a cookie, the
 * host of sign-in issues a ticket for that browser, and the app exchanges the ticket for its own session cookie.
 */
export function addHandOverRoutes(app: FastifyInstance, { sessions, settings }: HandOverRoutesOptions): void {
  const { baseUrl, appUrl } = settings
  const binding = createBrowserCookie({ baseUrl: appUrl })
  const sessionCookie = createSessionCookie(settings)
  const common = { schema: { hide: true }, errorHandler: pageErrors, exposeHeadRoute: false } as const
  /** A path inside the app, whatever the query says. */
  const targetOf = (query: URLSearchParams) => {
    const to = fieldOf(query, 'to') ?? '/'
    const target = new URL(chooseTarget(to.startsWith('/') ? `${appUrl}${to}` : undefined, settings))
    return `${target.pathname}${target.search}${target.hash}`
  }

  app.get('/v1/auth/enter', {
    ...common,
    config: { host: 'app' },
    handler: async (request, reply) => {
      const query = readQuery(request)
      const to = targetOf(query)
      const ticket = fieldOf(query, 'ticket')
      if (ticket === undefined) {
        const bound = hash('sha256', binding.ensure(request, reply), 'hex')
        return reply.redirect(`${baseUrl}/v1/auth/hand-over?${new URLSearchParams({ for: bound, to })}`, 303)
      }
      const cookie = await sessions.finishHandOver(ticket, binding.read(request))
      if (cookie === undefined) {
        throw new Problem(
          'bad_request',
          `This link was made for another browser, or it has expired. Sign in again: ${baseUrl}/v1/auth/login.`,
        )
      }
      sessionCookie.set(reply, 'app', cookie)
      return reply.redirect(`${appUrl}${to}`, 303)
    },
  })

  app.get('/v1/auth/hand-over', {
    ...common,
    config: { host: 'base' },
    handler: async (request, reply) => {
      const query = readQuery(request)
      const to = targetOf(query)
      const ticket = await sessions.beginHandOver(sessionCookie.read(request), fieldOf(query, 'for') ?? '')
      if (ticket === undefined) {
        const login = new URLSearchParams({ target_link_uri: `${appUrl}${to}` })
        return reply.redirect(`${baseUrl}/v1/auth/login?${login}`, 303)
      }
      return reply.redirect(`${appUrl}/v1/auth/enter?${new URLSearchParams({ ticket, to })}`, 303)
    },
  })
}
