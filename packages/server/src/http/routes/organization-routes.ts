import type { FastifyInstance } from 'fastify'
import type { Administration, AuditQuestion } from '../../administration/administration.js'
import { Problem, type ProblemCode } from '../../problem.js'
import type { Settings } from '../../settings/settings.js'
import { fieldOf, readQuery } from '../body.js'
import { createGate, type Gate, type GateParts } from '../requester/organization-access.js'
import type { ApiTokenBody } from '../schemas/api-tokens.js'
import type { DomainBody, RoleBody } from '../schemas/organization.js'
import type { ReplacementBody } from '../schemas/organization-connection.js'
import * as operations from '../schemas/organization-operations.js'
import {
  DROP_CONNECTION,
  PROPOSE_CONNECTION,
  READ_CONNECTION,
  SWITCH_CONNECTION,
  TEST_CONNECTION,
} from '../schemas/organization-operations.js'

export interface OrganizationRoutesOptions extends GateParts {
  readonly administration: Administration
}

/** What an administrator sees and changes of the own organization. */
export function addOrganizationRoutes(app: FastifyInstance, options: OrganizationRoutesOptions): void {
  const { administration } = options
  const gate = createGate(options)
  const describe = createDescribe(options.settings)
  const parts: RouteParts = { administration, gate, describe }
  app.get('/v1/org', {
    ...describe(operations.READ_ORGANIZATION),
    handler: async (request) => administration.readOrganization(await gate.person(request)),
  })
  app.get('/v1/org/audit', {
    ...describe(operations.READ_AUDIT),
    // What is documented is not validated by the framework: a bad value is told in words of its own.
    validatorCompiler: () => () => true,
    handler: async (request) => {
      const reader = await gate.reader(request, 'audit:read')
      return administration.readAudit(reader, questionOf(readQuery(request)))
    },
  })
  addMemberRoutes(app, parts)
  addDomainRoutes(app, parts)
  addTokenRoutes(app, parts)
  addConnectionRoutes(app, parts)
}

function questionOf(query: URLSearchParams): AuditQuestion {
  return { limit: fieldOf(query, 'limit'), before: fieldOf(query, 'before'), action: fieldOf(query, 'action') }
}

function addMemberRoutes(app: FastifyInstance, { administration, gate, describe }: RouteParts): void {
  app.get('/v1/org/members', {
    ...describe(operations.LIST_MEMBERS),
    handler: async (request) => {
      const reader = await gate.reader(request, 'members:read')
      return { members: await administration.listMembers(reader, reader.userId) }
    },
  })
  app.patch<{ Params: operations.IdParams; Body: RoleBody }>('/v1/org/members/:id', {
    ...describe(operations.SET_ROLE),
    ...gate.changingWithBody,
    handler: (request) => administration.setRole(gate.by(request), request.params.id, request.body.role),
  })
  app.delete<{ Params: operations.IdParams }>('/v1/org/members/:id', {
    ...describe(operations.REMOVE_MEMBER),
    ...gate.changing,
    handler: async (request, reply) => {
      await administration.removeMember(gate.by(request), request.params.id)
      return reply.code(204).send()
    },
  })
}

function addDomainRoutes(app: FastifyInstance, { administration, gate, describe }: RouteParts): void {
  app.get('/v1/org/domains', {
    ...describe(operations.LIST_DOMAINS),
    handler: async (request) => ({ domains: await administration.listDomains(await gate.administrator(request)) }),
  })
  app.post<{ Body: DomainBody }>('/v1/org/domains', {
    ...describe(operations.ADD_DOMAIN),
    ...gate.changingWithBody,
    handler: async (request, reply) => {
      reply.code(201)
      return administration.addDomain(gate.by(request), request.body.domain)
    },
  })
  app.post<{ Params: operations.DomainParams }>('/v1/org/domains/:domain/check', {
    ...describe(operations.CHECK_DOMAIN),
    ...gate.changing,
    handler: (request) => administration.checkDomain(gate.by(request), request.params.domain),
  })
  app.delete<{ Params: operations.DomainParams }>('/v1/org/domains/:domain', {
    ...describe(operations.REMOVE_DOMAIN),
    ...gate.changing,
    handler: async (request, reply) => {
      await administration.removeDomain(gate.by(request), request.params.domain)
      return reply.code(204).send()
    },
  })
}

function addTokenRoutes(app: FastifyInstance, { administration, gate, describe }: RouteParts): void {
  app.get('/v1/org/tokens', {
    ...describe(operations.LIST_TOKENS),
    handler: async (request) => ({ tokens: await administration.listTokens(await gate.administrator(request)) }),
  })
  app.post<{ Body: ApiTokenBody }>('/v1/org/tokens', {
    ...describe(operations.ISSUE_TOKEN),
    ...gate.changingWithBody,
    handler: async (request, reply) => {
      const { name, scopes, expires_at } = request.body
      reply.code(201)
      return administration.issueToken(gate.by(request), { name, scopes, expires_at })
    },
  })
  app.delete<{ Params: operations.IdParams }>('/v1/org/tokens/:id', {
    ...describe(operations.REVOKE_TOKEN),
    ...gate.changing,
    handler: async (request, reply) => {
      await administration.revokeToken(gate.by(request), request.params.id)
      return reply.code(204).send()
    },
  })
}

/** How an administrator replaces the secret or the whole connection: prepare, test, switch. */
export function addConnectionRoutes(app: FastifyInstance, { administration, gate, describe }: RouteParts): void {
  app.get('/v1/org/connection', {
    ...describe(READ_CONNECTION),
    handler: async (request) => administration.readConnection(await gate.administrator(request)),
  })
  app.post<{ Body: ReplacementBody }>('/v1/org/connection', {
    ...describe(PROPOSE_CONNECTION),
    ...gate.changingWithBody,
    handler: async (request, reply) => {
      const { client_secret, client_id, well_known_url } = request.body
      const wanted = {
        client_secret,
        ...(client_id !== undefined && { client_id }),
        ...(well_known_url !== undefined && { well_known_url }),
      }
      const next = await administration.proposeConnection(gate.by(request), wanted)
      return reply.code(201).send({ next })
    },
  })
  app.post('/v1/org/connection/test', {
    ...describe(TEST_CONNECTION),
    ...gate.changing,
    handler: (request) => {
      const by = gate.by(request)
      if (by.person.kind === 'browser') return administration.startConnectionTest(by)
      throw new Problem('missing_session', 'The test is a sign-in: start it in the browser in which you are signed in.')
    },
  })
  app.post('/v1/org/connection/switch', {
    ...describe(SWITCH_CONNECTION),
    ...gate.changing,
    handler: (request) => administration.switchConnection(gate.by(request)),
  })
  app.delete('/v1/org/connection/next', {
    ...describe(DROP_CONNECTION),
    ...gate.changing,
    handler: async (request, reply) => {
      await administration.dropNextConnection(gate.by(request))
      return reply.code(204).send()
    },
  })
}

/** As people's sessions, on the host of sign-in and on that of the app. */
const HOST = ['base', 'app'] as const

/** What the routes of an organization are made of. */
export interface RouteParts {
  readonly administration: Administration
  readonly gate: Gate
  /** Gives a route its hosts, and describes it. */
  readonly describe: ReturnType<typeof createDescribe>
}

/**
 * Makes what all routes of an organization have in common.
 *
 * @example
 * app.get('/v1/org', { ...describe(READ_ORGANIZATION), handler })
 */
export function createDescribe({ baseUrl }: Pick<Settings, 'baseUrl'>) {
  return <S extends object>({ schema, problems }: { schema: S; problems: readonly ProblemCode[] }) => ({
    config: { host: HOST, problems },
    schema: { ...schema, servers: [{ url: baseUrl }] },
  })
}
