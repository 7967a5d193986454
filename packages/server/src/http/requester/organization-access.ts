import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { By, OfOrganization } from '../../administration/administration.js'
import { notAdministrator } from '../../administration/parts.js'
import type { Clock } from '../../clock.js'
import { Problem } from '../../problem.js'
import type { Releases } from '../../releases/releases.js'
import { isToken, type Scope } from '../../releases/token.js'
import type { Person } from '../../sessions/sessions.js'
import type { Settings } from '../../settings/settings.js'
import { readJsonBody } from '../body.js'
import { allow, createLimiter } from '../rate-limit.js'
import { callerOf } from './address.js'
import { readBearer } from './authorization.js'
import { createSameSiteCheck } from './same-site.js'
import { createFindPerson, type PersonParts } from './signed-in-user.js'

export interface GateParts extends PersonParts {
  readonly releases: Pick<Releases, 'identify'>
  readonly settings: Pick<Settings, 'baseUrl' | 'appUrl' | 'limitCalls'>
  readonly clock: Clock
}

/** Who reads: an administrator, or a machine with a token for it. */
export type Reader = OfOrganization & { readonly userId: string | undefined }

/** Lets administrators through to what is theirs. */
export interface Gate {
  person(request: FastifyRequest): Promise<Person>
  administrator(request: FastifyRequest): Promise<Person>
  /** An administrator, or the bearer of an API token with the scope. */
  reader(request: FastifyRequest, scope: Scope): Promise<Reader>
  /** Hooks of a call that changes something: who it is comes before what is sent. */
  readonly changing: { onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> }
  /** The same for a call with a body, which is JSON whatever its type says. */
  readonly changingWithBody: Gate['changing'] & { readonly preValidation: typeof readJsonBody }
  /** Who was let through by these hooks. */
  by(request: FastifyRequest): By
}

/**
 * Makes the gate in front of the administration of organizations.
 *
 * @example
 * const gate = createGate({ sessions, devices, releases, settings, clock })
 * app.delete('/v1/org/members/:id', { ...gate.changing, handler: (request) => remove(gate.by(request)) })
 */
export function createGate({ releases, clock, ...parts }: GateParts): Gate {
  const people = createFindPerson(parts)
  const refuseCrossSite = createSameSiteCheck(parts.settings)
  const calls = createLimiter({ limit: parts.settings.limitCalls, clock })
  const letThrough = new WeakMap<FastifyRequest, Person>()

  const administrator = async (request: FastifyRequest) => {
    const person = await people.orRefuse(request)
    if (person.role !== 'administrator') throw notAdministrator()
    return person
  }
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseCrossSite(request)
    const person = await administrator(request)
    allow(calls, hash('sha256', person.userId, 'base64url'), reply, 'changes')
    letThrough.set(request, person)
    // An unreadable type would be refused before anybody looks at the body.
    delete request.raw.headers['content-type']
  }
  return {
    person: people.orRefuse,
    administrator,
    reader: async (request, scope) => (await readerByToken(request, releases, scope)) ?? administrator(request),
    changing: { onRequest },
    changingWithBody: { onRequest, preValidation: readJsonBody },
    by: (request) => ({ person: letThrough.get(request)!, caller: callerOf(request) }),
  }
}

/** Undefined when the request has no API token. */
async function readerByToken(
  request: FastifyRequest,
  releases: Pick<Releases, 'identify'>,
  scope: Scope,
): Promise<Reader | undefined> {
  if (request.headers.authorization === undefined) return undefined
  const token = tokenOf(request)
  if (token === undefined) return undefined
  const { organizationId, organization, scopes } = await releases.identify(token)
  if (scopes.includes(scope)) return { organizationId, organization, userId: undefined }
  throw new Problem(
    'missing_scope',
    `This token may not read this. An administrator makes one with the scope ${scope}: POST /v1/org/tokens.`,
  )
}

function tokenOf(request: FastifyRequest): string | undefined {
  try {
    const token = readBearer(request.raw)
    return isToken(token) ? token : undefined
  } catch {
    // Whatever else it is, it is judged as the token of a person.
    return undefined
  }
}
