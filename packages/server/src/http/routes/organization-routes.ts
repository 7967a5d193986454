import type { FastifyInstance } from 'fastify'
import type { Administration, AuditQuestion } from '../../administration/administration.js'
import { createGate, type GateParts } from '../administrator.js'
import { fieldOf, readQuery } from '../form.js'
import type { ApiTokenBody } from '../schemas/api-tokens.js'
import type { DomainBody, RoleBody } from '../schemas/organization.js'
import * as operations from '../schemas/organization-operations.js'
import { addConnectionRoutes } from './connection-routes.js'
import { createDescribe, type RouteParts } from './organization-route.js'

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
