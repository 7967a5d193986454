import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, OrganizationRef } from '../../administration/administration.js'
import { notAdministrator } from '../../administration/change.js'
import type { Clock } from '../../clock.js'
import { Problem } from '../../problem.js'
import type { Releases } from '../../releases/releases.js'
import { isToken, type Scope } from '../../releases/token.js'
import type { User } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { ignoreContentType, readJsonBody } from '../body.js'
import { allow, createLimiter } from '../rate-limit.js'
import { requesterOf } from './address.js'
import { findBearerToken } from './authorization.js'
import { createSameSiteCheck } from './same-site.js'
import { createUserFinder, type UserFinderDeps } from './signed-in-user.js'

export interface OrganizationAccessDeps extends UserFinderDeps {
  readonly releases: Pick<Releases, 'identify'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl' | 'limitCalls'>
  readonly clock: Clock
}

/** Who reads about an organization: an administrator, or a machine (then `userId` is undefined). */
export type Reader = OrganizationRef & { readonly userId: string | undefined }

/** Decides who may read and change an organization. Methods reject with a `Problem`. */
export interface OrganizationAccess {
  user(request: FastifyRequest): Promise<User>
  administrator(request: FastifyRequest): Promise<User>
  /** An administrator, or a machine whose API token has the scope. */
  reader(request: FastifyRequest, scope: Scope): Promise<Reader>
  /** Hooks of a route that changes something: the requester is checked before the body is read. */
  readonly changing: { onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> }
  /** The same for a route with a JSON body. */
  readonly changingWithBody: OrganizationAccess['changing'] & { readonly preValidation: typeof readJsonBody }
  /** The administrator whom these hooks let pass. */
  by(request: FastifyRequest): Actor
}

/**
 * Makes the access checks of the organization routes.
 *
 * @example
 * const access = createOrganizationAccess({ sessions, devices, releases, settings, clock })
 * app.delete('/v1/org/members/:id', { ...access.changing, handler: (request) => remove(access.by(request)) })
 */
export function createOrganizationAccess({ releases, clock, ...deps }: OrganizationAccessDeps): OrganizationAccess {
  const users = createUserFinder(deps)
  const checkSameSite = createSameSiteCheck(deps.settings)
  const changes = createLimiter({ limit: deps.settings.limitCalls, clock })
  const administrators = new WeakMap<FastifyRequest, User>()

  const administrator = async (request: FastifyRequest) => {
    const user = await users.require(request)
    if (user.role !== 'administrator') throw notAdministrator()
    return user
  }
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    checkSameSite(request)
    const user = await administrator(request)
    allow(changes, hash('sha256', user.userId, 'base64url'), reply, 'changes')
    administrators.set(request, user)
    await ignoreContentType(request)
  }
  return {
    user: users.require,
    administrator,
    reader: async (request, scope) => (await readerByToken(request, releases, scope)) ?? administrator(request),
    changing: { onRequest },
    changingWithBody: { onRequest, preValidation: readJsonBody },
    by: (request) => ({ user: administrators.get(request)!, requester: requesterOf(request) }),
  }
}

/** Undefined for a request without an API token; any other token belongs to a user. */
async function readerByToken(
  request: FastifyRequest,
  releases: Pick<Releases, 'identify'>,
  scope: Scope,
): Promise<Reader | undefined> {
  const token = findBearerToken(request.raw)
  if (token === undefined || !isToken(token)) return undefined
  const { organizationId, organization, scopes } = await releases.identify(token)
  if (scopes.includes(scope)) return { organizationId, organization, userId: undefined }
  throw new Problem(
    'missing_scope',
    `This token may not read this. An administrator creates a token with the scope ${scope}: POST /v1/org/tokens.`,
  )
}
