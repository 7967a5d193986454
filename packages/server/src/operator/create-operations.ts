import { randomUUID } from 'node:crypto'
import { readAudit, recordAudit } from '../audit/audit.js'
import type { Provider } from '../discovery/provider.js'
import { hashCode, makeCode } from '../onboarding/codes.js'
import { domainTaken } from '../organizations/domain.js'
import { nameIn } from '../organizations/fields.js'
import { signInUri } from '../organizations/urls.js'
import { insertCode, listCodes, revokeCodesOf } from '../store/onboarding/codes.js'
import { supersedeAllOf } from '../store/onboarding/transactions.js'
import { deleteConnection, findConnection } from '../store/organizations/connections.js'
import { findDomainOwner, freeDomainsOf } from '../store/organizations/domains.js'
import {
  ensureOrganization,
  findOrganization,
  holdOrganization,
  type ListedOrganization,
  listOrganizations,
  lockOrganizationByName,
  markRemoved,
} from '../store/organizations/organizations.js'
import { checkIssue, codeRecordOf, revokeCode } from './codes.js'
import { createReleaseOperations } from './create-release-operations.js'
import type {
  AuditFilter,
  AuditRecord,
  IssuedCode,
  Operations,
  OrganizationDetails,
  OrganizationRecord,
} from './operations.js'
import { OPERATOR, type OperationsDeps, unknownOrganization } from './operations.js'
import { readAuditFilter } from './read-audit-filter.js'
import { rotateKeys } from './rotate-keys.js'
import { rotateSigningKey } from './rotate-signing-key.js'
import { listUsers, releaseUser, removeUser, setUserRole } from './users.js'

/**
 * The operator's commands on a database that `prepareDatabase` has prepared. A rejected command throws a `Problem` whose
 * detail says what to do.
 *
 * @example
 * const operations = createOperations({ database, keys, clock: () => new Date(), urls: settings })
 * const { code } = await operations.issueCode({ org: 'Acme', expires: '2026-12-31' })
 */
export function createOperations(deps: OperationsDeps): Operations {
  const { database, clock } = deps
  return {
    issueCode: (request) => issueCode(deps, request),
    listCodes: async () => (await listCodes(database)).map((code) => codeRecordOf(code, clock())),
    revokeCode: (code) => revokeCode(deps, code),
    listOrganizations: async () => (await listOrganizations(database)).map(organizationRecordOf),
    showOrganization: (name) => showOrganization(deps, name),
    removeOrganization: (name) => removeOrganization(deps, name),
    listUsers: (filter) => listUsers(deps, filter),
    releaseUser: (email) => releaseUser(deps, email),
    removeUser: (email) => removeUser(deps, email),
    setUserRole: (request) => setUserRole(deps, request),
    audit: (filter) => audit(deps, filter),
    rotateKeys: () => rotateKeys(deps),
    rotateSigningKey: (request) => rotateSigningKey(deps, request),
    ...createReleaseOperations(deps),
  }
}

async function issueCode(
  { database, clock }: OperationsDeps,
  request: Parameters<Operations['issueCode']>[0],
): Promise<IssuedCode> {
  const now = clock()
  const { org, expires, domain } = checkIssue(request, now)
  const code = makeCode()
  const id = randomUUID()
  await database.transaction(async (queries) => {
    const { id: organizationId, made } = await ensureOrganization(queries, org, now)
    const owner = domain === undefined ? undefined : await findDomainOwner(queries, domain)
    if (domain !== undefined && owner !== undefined && owner !== organizationId) throw domainTaken(domain)
    const who = { at: now, actor: OPERATOR, org }
    await insertCode(queries, { id, organizationId, hash: hashCode(code), domain, expiresOn: expires, issuedAt: now })
    if (made) await recordAudit(queries, { ...who, action: 'organization.created' })
    const detail = { code: id, expires, ...(domain !== undefined && { domain }) }
    await recordAudit(queries, { ...who, action: 'code.issued', detail })
  })
  return { id, code, org, expires, ...(domain !== undefined && { domain }) }
}

async function showOrganization({ database, clock, urls }: OperationsDeps, name: string): Promise<OrganizationDetails> {
  return database.transaction(async (queries) => {
    // The lock keeps it from being connected or removed between the reads.
    const known = await findOrganization(queries, nameIn(name) ?? '')
    const organization =
      known && (await holdOrganization(queries, known.id)) ? await findOrganization(queries, known.name) : undefined
    if (!organization) throw unknownOrganization(name)
    const connection = await findConnection<Provider>(queries, organization.id)
    const codes = await listCodes(queries, organization.id)
    return {
      ...organizationRecordOf(organization),
      ...(connection && {
        issuer: connection.issuer,
        clientId: connection.clientId,
        signInUri: signInUri({ urls }, connection.callbackId),
        connectedAt: connection.connectedAt.toISOString(),
      }),
      codes: codes.map((code) => codeRecordOf(code, clock())),
    }
  })
}

function removeOrganization({ database, clock }: OperationsDeps, name: string): Promise<OrganizationRecord> {
  return database.transaction(async (queries) => {
    const locked = await lockOrganizationByName(queries, nameIn(name) ?? '')
    const organization = locked && (await findOrganization(queries, locked.name))
    if (!organization) throw unknownOrganization(name)
    const now = clock()
    const revoked = await revokeCodesOf(queries, organization.id, now)
    await supersedeAllOf(queries, organization.id)
    await freeDomainsOf(queries, organization.id)
    await deleteConnection(queries, organization.id)
    await markRemoved(queries, organization.id, now)
    await recordAudit(queries, {
      at: now,
      actor: OPERATOR,
      action: 'organization.removed',
      org: organization.name,
      detail: { domains: organization.domains, connected: organization.connected, codes_revoked: revoked },
    })
    return organizationRecordOf(organization)
  })
}

const organizationRecordOf = (organization: ListedOrganization): OrganizationRecord => ({
  name: organization.name,
  domains: organization.domains,
  connected: organization.connected,
  createdAt: organization.createdAt.toISOString(),
})

async function audit({ database }: OperationsDeps, filter: AuditFilter): Promise<readonly AuditRecord[]> {
  const selection = readAuditFilter(filter)
  const entries = await database.transaction((queries) => readAudit(queries, selection))
  return entries.map(({ organization, at, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    ...(organization !== undefined && { org: organization }),
  }))
}
