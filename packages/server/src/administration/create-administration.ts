import type { Administration } from './administration.js'
import { readAudit } from './audit-records.js'
import { addDomain, checkDomain, listDomains, removeDomain } from './domains.js'
import { listMembers, readOrganization, removeMember, setRole } from './members.js'
import type { AdministrationParts } from './parts.js'
import { proposeConnection } from './propose-connection.js'
import { readConnection } from './read-connection.js'
import { dropNextConnection, switchConnection } from './switch-connection.js'
import { beginTest, finishTest, startConnectionTest } from './test-connection.js'
import { issueToken, listTokens, revokeToken } from './tokens.js'

/**
 * What administrators do about their own organization, on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const administration = createAdministration({ database, keys, discovery, signIn, clock, urls: settings, resolveTxt })
 * await administration.setRole({ person, caller }, id, 'administrator')
 */
export function createAdministration(parts: AdministrationParts): Administration {
  return {
    readOrganization: (person) => readOrganization(parts, person),
    listMembers: (of, userId) => listMembers(parts, of, userId),
    setRole: (by, id, role) => setRole(parts, by, id, role),
    removeMember: (by, id) => removeMember(parts, by, id),
    listDomains: (of) => listDomains(parts, of),
    addDomain: (by, domain) => addDomain(parts, by, domain),
    checkDomain: (by, domain) => checkDomain(parts, by, domain),
    removeDomain: (by, domain) => removeDomain(parts, by, domain),
    readAudit: (of, question) => readAudit(parts, of, question),
    listTokens: (of) => listTokens(parts, of),
    issueToken: (by, request) => issueToken(parts, by, request),
    revokeToken: (by, id) => revokeToken(parts, by, id),
    readConnection: (of) => readConnection(parts, of),
    proposeConnection: (by, request) => proposeConnection(parts, by, request),
    startConnectionTest: (by) => startConnectionTest(parts, by),
    switchConnection: (by) => switchConnection(parts, by),
    dropNextConnection: (by) => dropNextConnection(parts, by),
    beginTest: (link, browser) => beginTest(parts, link, browser),
    finishTest: (back, caller) => finishTest(parts, back, caller),
  }
}
