import type { FastifyInstance } from 'fastify'
import type { Administration, AuditQuery } from '../../administration/administration.js'
import { Problem, type ProblemCode } from '../../problem.js'
import type { Settings } from '../../settings/settings.js'
import { fieldOf, readQuery } from '../body.js'
import {
  createOrganizationAccess,
  type OrganizationAccess,
  type OrganizationAccessDeps,
} from '../requester/organization-access.js'
import type { ApiTokenBody } from '../schemas/api-tokens.js'
import type { DomainBody, RoleBody } from '../schemas/organization.js'
import type { ReplacementBody } from '../schemas/organization-connection.js'
import * as operations from '../schemas/organization-operations.js'

export interface OrganizationRoutesOptions extends OrganizationAccessDeps {
  readonly administration: Administration
}

/** Like sessions: on the host of sign-in and on the host of the app. */
const HOSTS = ['base', 'app'] as const

interface RouteDeps {
  readonly administration: Administration
  readonly access: OrganizationAccess
  readonly describe: ReturnType<typeof createDescribe>
}

/** The routes with which administrators manage their own organization. */
export function addOrganizationRoutes(app: FastifyInstance, options: OrganizationRoutesOptions): void {
  const { administration } = options
  const access = createOrganizationAccess(options)
  const describe = createDescribe(options.settings)
  const deps: RouteDeps = { administration, access, describe }
  app.get('/v1/org', {
    ...describe(operations.READ_ORGANIZATION),
    handler: async (request) => administration.readOrganization(await access.user(request)),
  })
  app.get('/v1/org/audit', {
    ...describe(operations.READ_AUDIT),
    // The schema is only documentation: the handler reports a bad value with its own message.
    validatorCompiler: () => () => true,
    handler: async (request) => {
      const reader = await access.reader(request, 'audit:read')
      return administration.readAudit(reader, auditQueryOf(readQuery(request)))
    },
  })
  addMemberRoutes(app, deps)
  addDomainRoutes(app, deps)
  addTokenRoutes(app, deps)
  addConnectionRoutes(app, deps)
}

function auditQueryOf(query: URLSearchParams): AuditQuery {
  return { limit: fieldOf(query, 'limit'), before: fieldOf(query, 'before'), action: fieldOf(query, 'action') }
}

function addMemberRoutes(app: FastifyInstance, { administration, access, describe }: RouteDeps): void {
  app.get('/v1/org/members', {
    ...describe(operations.LIST_MEMBERS),
    handler: async (request) => {
      const reader = await access.reader(request, 'members:read')
      return { members: await administration.listMembers(reader, reader.userId) }
    },
  })
  app.patch<{ Params: operations.IdParams; Body: RoleBody }>('/v1/org/members/:id', {
    ...describe(operations.SET_ROLE),
    ...access.changingWithBody,
    handler: (request) => administration.setRole(access.by(request), request.params.id, request.body.role),
  })
  app.delete<{ Params: operations.IdParams }>('/v1/org/members/:id', {
    ...describe(operations.REMOVE_MEMBER),
    ...access.changing,
    handler: async (request, reply) => {
      await administration.removeMember(access.by(request), request.params.id)
      return reply.code(204).send()
    },
  })
}

function addDomainRoutes(app: FastifyInstance, { administration, access, describe }: RouteDeps): void {
  app.get('/v1/org/domains', {
    ...describe(operations.LIST_DOMAINS),
    handler: async (request) => ({ domains: await administration.listDomains(await access.administrator(request)) }),
  })
  app.post<{ Body: DomainBody }>('/v1/org/domains', {
    ...describe(operations.ADD_DOMAIN),
    ...access.changingWithBody,
    handler: async (request, reply) => {
      reply.code(201)
      return administration.addDomain(access.by(request), request.body.domain)
    },
  })
  app.post<{ Params: operations.DomainParams }>('/v1/org/domains/:domain/check', {
    ...describe(operations.CHECK_DOMAIN),
    ...access.changing,
    handler: (request) => administration.checkDomain(access.by(request), request.params.domain),
  })
  app.delete<{ Params: operations.DomainParams }>('/v1/org/domains/:domain', {
    ...describe(operations.REMOVE_DOMAIN),
    ...access.changing,
    handler: async (request, reply) => {
      await administration.removeDomain(access.by(request), request.params.domain)
      return reply.code(204).send()
    },
  })
}

function addTokenRoutes(app: FastifyInstance, { administration, access, describe }: RouteDeps): void {
  app.get('/v1/org/tokens', {
    ...describe(operations.LIST_TOKENS),
    handler: async (request) => ({ tokens: await administration.listTokens(await access.administrator(request)) }),
  })
  app.post<{ Body: ApiTokenBody }>('/v1/org/tokens', {
    ...describe(operations.ISSUE_TOKEN),
    ...access.changingWithBody,
    handler: async (request, reply) => {
      const { name, scopes, expires_at } = request.body
      reply.code(201)
      return administration.issueToken(access.by(request), { name, scopes, expires_at })
    },
  })
  app.delete<{ Params: operations.IdParams }>('/v1/org/tokens/:id', {
    ...describe(operations.REVOKE_TOKEN),
    ...access.changing,
    handler: async (request, reply) => {
      await administration.revokeToken(access.by(request), request.params.id)
      return reply.code(204).send()
    },
  })
}

/** The routes with which an administrator replaces the secret or the whole connection: prepare, test, switch. */
function addConnectionRoutes(app: FastifyInstance, { administration, access, describe }: RouteDeps): void {
  app.get('/v1/org/connection', {
    ...describe(operations.READ_CONNECTION),
    handler: async (request) => administration.readConnection(await access.administrator(request)),
  })
  app.post<{ Body: ReplacementBody }>('/v1/org/connection', {
    ...describe(operations.PROPOSE_CONNECTION),
    ...access.changingWithBody,
    handler: async (request, reply) => {
      const { client_secret, client_id, well_known_url } = request.body
      const proposal = {
        client_secret,
        ...(client_id !== undefined && { client_id }),
        ...(well_known_url !== undefined && { well_known_url }),
      }
      const next = await administration.proposeConnection(access.by(request), proposal)
      return reply.code(201).send({ next })
    },
  })
  app.post('/v1/org/connection/test', {
    ...describe(operations.TEST_CONNECTION),
    ...access.changing,
    handler: (request) => {
      const by = access.by(request)
      if (by.user.kind === 'browser') return administration.startConnectionTest(by)
      throw new Problem('missing_session', 'The test is a sign-in: start it in the browser in which you are signed in.')
    },
  })
  app.post('/v1/org/connection/switch', {
    ...describe(operations.SWITCH_CONNECTION),
    ...access.changing,
    handler: (request) => administration.switchConnection(access.by(request)),
  })
  app.delete('/v1/org/connection/next', {
    ...describe(operations.DROP_CONNECTION),
    ...access.changing,
    handler: async (request, reply) => {
      await administration.dropNextConnection(access.by(request))
      return reply.code(204).send()
    },
  })
}

/** The options that all routes of an organization share, with their description. */
function createDescribe({ baseUrl }: Pick<Settings, 'baseUrl'>) {
  return <S extends object>({ schema, problems }: { schema: S; problems: readonly ProblemCode[] }) => ({
    config: { host: HOSTS, problems },
    schema: { ...schema, servers: [{ url: baseUrl }] },
  })
}
