import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../settings/settings.js'
import { PAGE_POLICY } from '../security-headers.js'

/** Files whose names hold a hash of what is in them never change. */
const HASHED = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+$/

const FOREVER = 'public, max-age=31536000, immutable'

/** Everything else is asked for again, and answered with 304 while it is the same. */
const ASK_AGAIN = 'no-cache'

export interface WebRoutesOptions {
  readonly webFolder: string | undefined
  readonly settings: Pick<Settings, 'onboardUrl'>
}

/** The set-up page at the root of the onboarding host; without its files, a text that names the API. */
export async function addWebRoutes(app: FastifyInstance, { webFolder, settings }: WebRoutesOptions): Promise<void> {
  if (webFolder !== undefined && (await hasPage(webFolder))) {
    await app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, host: 'onboard' }
      })
      scope.addHook('onSend', async (request, reply) => {
        const [path = ''] = request.url.split('?', 1)
        reply.header('cache-control', HASHED.test(path) ? FOREVER : ASK_AGAIN)
        reply.header('content-security-policy', PAGE_POLICY)
      })
      await scope.register(fastifyStatic, {
        root: webFolder,
        // One route per file that is there at the start: no listing, no way out of the folder, a 404 like any other.
        wildcard: false,
        cacheControl: false,
      })
    })
    return
  }
  if (webFolder !== undefined)
    app.log.warn({ folder: webFolder }, 'the set-up page is not built: index.html is missing')
  const text = plainPage(settings.onboardUrl)
  app.get('/', {
    config: { host: 'onboard' },
    schema: { hide: true },
    handler: (_, reply) => reply.type('text/plain; charset=utf-8').send(text),
  })
}

async function hasPage(folder: string): Promise<boolean> {
  try {
    return (await stat(join(folder, 'index.html'))).isFile()
  } catch {
    return false
  }
}

function plainPage(onboardUrl: string): string {
  return `Omen onboarding: connect your identity provider by OpenID Connect.

1. curl '${onboardUrl}/v1/auth/validate?code=<code>'
2. curl ${onboardUrl}/v1/api/oauth -H 'Authorization: Bearer <token>' \\
     -d '{"well_known_url": "<url>", "domain": "<domain>", "org_name": "<name>"}'
3. Create an OAuth web application at your identity provider with the sign_in_uri of step 2.
4. curl ${onboardUrl}/v1/api/oauth/<transaction_id>/onboard -H 'Authorization: Bearer <token>' \\
     -d '{"client_id": "<id>", "client_secret": "<secret>"}'

Everything about these calls: ${onboardUrl}/docs
`
}
