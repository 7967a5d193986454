import type { Requester } from '../audit/audit.js'
import type { Clock } from '../clock.js'
import type { Discovery } from '../discovery/provider.js'
import type { Keys } from '../keys/keys.js'
import type { CallbackRequest, TestOutcome } from '../organizations/sign-in-test.js'
import type { Urls } from '../organizations/urls.js'
import type { User } from '../sessions/sessions.js'
import type { SignIn } from '../signin/create-sign-in.js'
import type { Database } from '../store/database.js'
import type { UserRole } from '../store/organizations/users.js'
import { readAudit } from './audit-records.js'
import { readConnection } from './connection.js'
import { addDomain, checkDomain, listDomains, removeDomain } from './domains.js'
import { listMembers, readOrganization, removeMember, setRole } from './members.js'
import { dropNextConnection, proposeConnection, switchConnection } from './replace-connection.js'
import { beginTest, finishTest, startConnectionTest } from './test-connection.js'
import { issueToken, listTokens, revokeToken } from './tokens.js'
import type { ResolveTxt } from './verify-domain.js'

export interface AdministrationDeps {
  readonly database: Database
  readonly keys: Keys
  readonly discovery: Discovery
  readonly signIn: SignIn
  readonly clock: Clock
  readonly urls: Urls
  readonly resolveTxt: ResolveTxt
}

/** The administrator who makes a change, and the request. */
export interface Actor {
  readonly user: User
  readonly requester: Requester
}

/** The organization that a request reads. */
export type OrganizationRef = Pick<User, 'organizationId' | 'organization'>

/** The response to `GET /v1/org`. Field names are those of the API; times are in RFC 3339. */
export interface OrganizationView {
  readonly name: string
  /** The primary domain. */
  readonly domain: string
  readonly role: UserRole
  readonly user_id: string
  readonly domains: readonly string[]
}

export interface MemberView {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: UserRole
  readonly created_at: string
  readonly signed_in_at: string
  readonly sessions: number
  readonly you: boolean
}

export interface DomainView {
  readonly domain: string
  readonly status: 'verified' | 'pending'
  readonly primary: boolean
  readonly added_at: string
  readonly verified_at: string | null
  /** The DNS record that verifies the domain. */
  readonly record: { readonly type: 'TXT'; readonly name: string; readonly value: string }
}

export interface AuditView {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly actor: string
  readonly address: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** The query of `GET /v1/org/audit`, unchecked. */
export interface AuditQuery {
  readonly limit: string | undefined
  readonly before: string | undefined
  readonly action: string | undefined
}

export interface TokenView {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: string
  readonly created_by: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export interface TokenRequest {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expires_at: string
}

export interface CurrentConnection {
  readonly issuer: string
  readonly well_known_url: string
  readonly client_id: string
  readonly auth_method: string
  readonly redirect_uri: string
  readonly initiate_login_uri: string
  readonly backchannel_logout_uri: string
  readonly connected_at: string
}

export interface NextConnection {
  readonly id: string
  readonly issuer: string
  readonly well_known_url: string
  readonly client_id: string
  readonly redirect_uri: string
  readonly status: 'untested' | 'testing' | 'passed' | 'failed'
  readonly detail: string | null
  readonly tested_as: string | null
  readonly created_at: string
  readonly expires_at: string
}

export interface ConnectionView {
  readonly current: CurrentConnection
  readonly next: NextConnection | null
}

/** A new secret for the current application, or another application at the same or another identity provider. */
export interface ReplacementRequest {
  readonly client_secret: string
  readonly client_id?: string
  readonly well_known_url?: string
}

/** What administrators do in their own organization (docs/protocol.md, sections 5 to 7). Methods reject with a `Problem`. */
export interface Administration {
  readOrganization(user: User): Promise<OrganizationView>

  /** `userId` is the user who asks, if it is a user and not an API token. */
  listMembers(of: OrganizationRef, userId: string | undefined): Promise<readonly MemberView[]>
  setRole(actor: Actor, id: string, role: UserRole): Promise<MemberView>
  removeMember(actor: Actor, id: string): Promise<void>

  listDomains(of: OrganizationRef): Promise<readonly DomainView[]>
  addDomain(actor: Actor, domain: string): Promise<DomainView>
  checkDomain(actor: Actor, domain: string): Promise<DomainView>
  removeDomain(actor: Actor, domain: string): Promise<void>

  readAudit(
    of: OrganizationRef,
    query: AuditQuery,
  ): Promise<{ readonly records: readonly AuditView[]; readonly next: string | null }>

  listTokens(of: OrganizationRef): Promise<readonly TokenView[]>
  /** The response contains the token, which is not stored. */
  issueToken(actor: Actor, request: TokenRequest): Promise<TokenView & { readonly token: string }>
  revokeToken(actor: Actor, id: string): Promise<void>

  readConnection(of: OrganizationRef): Promise<ConnectionView>
  proposeConnection(actor: Actor, request: ReplacementRequest): Promise<NextConnection>
  /** Gives the URL at which a browser signs in once through the next connection. */
  startConnectionTest(actor: Actor): Promise<{ readonly url: string }>
  switchConnection(actor: Actor): Promise<ConnectionView>
  dropNextConnection(actor: Actor): Promise<void>

  /** Gives the URL at the identity provider. Undefined if the link does not belong to such a test. */
  beginTest(link: string, browser: string): Promise<string | undefined>
  /** Handles a browser that comes back. Undefined if it was not sent for such a test. */
  finishTest(callback: CallbackRequest, requester: Requester): Promise<TestOutcome | undefined>
}

/**
 * What administrators do in their own organization, on a database that `prepareDatabase` has prepared.
 *
 * @example
 * const administration = createAdministration({ database, keys, discovery, signIn, clock, urls: settings, resolveTxt })
 * await administration.setRole({ user, requester }, id, 'administrator')
 */
export function createAdministration(deps: AdministrationDeps): Administration {
  return {
    readOrganization: (user) => readOrganization(deps, user),
    listMembers: (of, userId) => listMembers(deps, of, userId),
    setRole: (actor, id, role) => setRole(deps, actor, id, role),
    removeMember: (actor, id) => removeMember(deps, actor, id),
    listDomains: (of) => listDomains(deps, of),
    addDomain: (actor, domain) => addDomain(deps, actor, domain),
    checkDomain: (actor, domain) => checkDomain(deps, actor, domain),
    removeDomain: (actor, domain) => removeDomain(deps, actor, domain),
    readAudit: (of, query) => readAudit(deps, of, query),
    listTokens: (of) => listTokens(deps, of),
    issueToken: (actor, request) => issueToken(deps, actor, request),
    revokeToken: (actor, id) => revokeToken(deps, actor, id),
    readConnection: (of) => readConnection(deps, of),
    proposeConnection: (actor, request) => proposeConnection(deps, actor, request),
    startConnectionTest: (actor) => startConnectionTest(deps, actor),
    switchConnection: (actor) => switchConnection(deps, actor),
    dropNextConnection: (actor) => dropNextConnection(deps, actor),
    beginTest: (link, browser) => beginTest(deps, link, browser),
    finishTest: (callback, requester) => finishTest(deps, callback, requester),
  }
}
