import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Clock } from '../../clock.js'
import { Problem } from '../../problem.js'
import type { Releases } from '../../releases/releases.js'
import type { Sessions } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { allow, createLimiter } from '../rate-limit.js'
import { requesterOf, subscriberOf } from '../requester/address.js'
import { createSessionCookie } from '../requester/cookies.js'
import { findReleaseReader } from '../requester/release-reader.js'
import { LIST_RULES, READ_RULE, type RuleParams } from '../schemas/catalogue.js'
import { sendPrepared } from '../sending/send-json.js'

export interface CatalogueRoutesOptions {
  readonly catalogue: Catalogue
  readonly releases: Pick<Releases, 'identify'>
  readonly sessions: Pick<Sessions, 'read'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl' | 'limitDownloads'>
  readonly clock: Clock
}

/** The tool uses the host of sign-in, the app its own. */
const HOSTS = ['base', 'app'] as const

/** The rule catalogue: community rules for everybody, the rules of an organization for its users and tokens. */
export function addCatalogueRoutes(app: FastifyInstance, options: CatalogueRoutesOptions): void {
  const { catalogue, releases, sessions, settings, clock } = options
  const cookie = createSessionCookie(settings)
  const requests = createLimiter({ limit: settings.limitDownloads, clock })

  /** The organization of the requester. Only anonymous requests are limited: colleagues often share an address. */
  const organizationOf = async (request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> => {
    const reader =
      request.headers.authorization === undefined
        ? await sessions.read(cookie.read(request))
        : await findReleaseReader(request, releases).then((found) =>
            found?.scopes.includes('rules:read') ? found : undefined,
          )
    if (reader === undefined)
      allow(requests, subscriberOf(requesterOf(request).address), reply, 'requests for the catalogue')
    return reader?.organizationId
  }

  /** The OpenAPI document names the host of sign-in. */
  const onBase = <S extends object>(schema: S): S => ({ ...schema, servers: [{ url: settings.baseUrl }] })

  app.get('/v1/catalogue', {
    config: { host: HOSTS, problems: LIST_RULES.problems },
    schema: onBase(LIST_RULES.schema),
    handler: async (request, reply) =>
      sendPrepared(request, reply, await catalogue.list(await organizationOf(request, reply))),
  })

  app.get<{ Params: RuleParams }>('/v1/catalogue/:id', {
    config: { host: HOSTS, problems: READ_RULE.problems },
    schema: onBase(READ_RULE.schema),
    handler: async (request, reply) => {
      const rule = await catalogue.find(request.params.id, await organizationOf(request, reply))
      if (rule === undefined) {
        throw new Problem('not_found', 'There is no rule with this ID, or it belongs to another organization.')
      }
      return sendPrepared(request, reply, rule)
    },
  })
}
