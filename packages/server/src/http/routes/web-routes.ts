import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sessions } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { pageErrors } from '../errors/page-errors.js'
import { createSessionCookie } from '../requester/cookies.js'
import { createHosts } from '../routing.js'
import { PAGE_HEADERS } from '../security-headers.js'

/** Files whose names contain a hash of their content never change. */
const HASHED = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+$/

const FOREVER = 'public, max-age=31536000, immutable'

/** Everything else is revalidated, with 304 if it has not changed. */
const REVALIDATE = 'no-cache'

/** The two pages. Each is one file, which chooses its content by the address. */
const SETUP_PAGE = 'index.html'
const APP_PAGE = 'app.html'

/** The addresses of the app, besides its start page. */
export const APP_PATHS = [
  '/rules',
  '/rules/:id',
  '/sessions',
  '/organization',
  '/organization/members',
  '/organization/domains',
  '/organization/connection',
  '/organization/tokens',
  '/organization/audit',
] as const

export interface WebRoutesOptions {
  readonly webFolder: string | undefined
  readonly sessions: Pick<Sessions, 'read'>
  readonly settings: Pick<Settings, 'onboardUrl' | 'baseUrl' | 'appUrl'>
}

/** The set-up page and the app, each on its host; without their files, a text that describes the API. */
export async function addWebRoutes(app: FastifyInstance, options: WebRoutesOptions): Promise<void> {
  const { webFolder, settings } = options
  if (webFolder !== undefined && (await hasPages(webFolder))) {
    await app.register(async (scope) => {
      scope.addHook('onSend', async (request, reply) => {
        const [path = ''] = request.url.split('?', 1)
        reply.header('cache-control', HASHED.test(path) ? FOREVER : REVALIDATE)
        if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding')
        // An error sets its own policy.
        if (reply.statusCode < 400) reply.headers(PAGE_HEADERS)
      })
      await scope.register(fastifyStatic, {
        root: webFolder,
        // One route per file that exists at the start: no listing, no path outside the folder, and the usual 404.
        wildcard: false,
        // The pages have their own routes; compressed files are sent instead of their originals.
        globIgnore: ['*.html', '**/*.br', '**/*.gz'],
        preCompressed: true,
        index: false,
        cacheControl: false,
      })
      addPages(scope, options)
    })
    return
  }
  if (webFolder !== undefined) {
    app.log.warn({ folder: webFolder }, `the pages are not built: ${SETUP_PAGE} or ${APP_PAGE} is missing`)
  }
  const text = plainPage(settings.onboardUrl)
  app.get('/', {
    config: { host: 'onboard' },
    schema: { hide: true },
    handler: (_, reply) => reply.type('text/plain; charset=utf-8').send(text),
  })
}

/** The page of each address. It depends on the host if there are several, otherwise on whether the user is signed in. */
function addPages(app: FastifyInstance, { sessions, settings }: WebRoutesOptions): void {
  const otherAddress = createHosts(settings)
  const cookie = createSessionCookie(settings)
  const page = { schema: { hide: true }, errorHandler: pageErrors } as const
  const isSignedIn = async (request: FastifyRequest) => (await sessions.read(cookie.read(request))) !== undefined
  const showSetUp = (_: FastifyRequest, reply: FastifyReply) => reply.sendFile(SETUP_PAGE)

  app.get('/', {
    ...page,
    handler: async (request, reply) => {
      reply.header('vary', 'Cookie')
      const isForSetUp = otherAddress('onboard', request.host) === undefined
      const appUrl = otherAddress('app', request.host)
      if (isForSetUp && appUrl !== undefined) return showSetUp(request, reply)
      if (appUrl !== undefined) return reply.redirect(`${appUrl}/`, 303)
      if (await isSignedIn(request)) return reply.sendFile(APP_PAGE)
      return isForSetUp ? showSetUp(request, reply) : reply.redirect('/v1/auth/enter?to=/', 303)
    },
  })

  app.get('/setup', {
    ...page,
    handler: (request, reply) => {
      const onboardUrl = otherAddress('onboard', request.host)
      if (onboardUrl !== undefined) return reply.redirect(`${onboardUrl}/`, 303)
      // The page loads its files relative to its address: a slash at the end would name a folder.
      if (/^[^?]*\/(\?|$)/.test(request.url)) return reply.redirect('/setup', 303)
      return showSetUp(request, reply)
    },
  })

  for (const path of APP_PATHS) {
    app.get(path, {
      ...page,
      handler: (request, reply) => {
        const appUrl = otherAddress('app', request.host)
        return appUrl === undefined ? reply.sendFile(APP_PAGE) : reply.redirect(`${appUrl}${request.url}`, 303)
      },
    })
  }
}

async function hasPages(folder: string): Promise<boolean> {
  try {
    const pages = await Promise.all([SETUP_PAGE, APP_PAGE].map((name) => stat(join(folder, name))))
    return pages.every((page) => page.isFile())
  } catch {
    return false
  }
}

function plainPage(onboardUrl: string): string {
  return `Omen onboarding: connect your identity provider with OpenID Connect.

1. curl '${onboardUrl}/v1/auth/validate?code=<code>'
2. curl ${onboardUrl}/v1/api/oauth -H 'Authorization: Bearer <token>' \\
     -d '{"well_known_url": "<url>", "domain": "<domain>", "org_name": "<name>"}'
3. Create an OAuth web application at your identity provider with the sign_in_uri of step 2.
4. curl ${onboardUrl}/v1/api/oauth/<transaction_id>/onboard -H 'Authorization: Bearer <token>' \\
     -d '{"client_id": "<id>", "client_secret": "<secret>"}'

Documentation: ${onboardUrl}/docs
`
}
