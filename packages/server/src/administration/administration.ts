import type { Caller, Return, TestOutcome } from '../onboarding/onboarding.js'
import type { Person } from '../sessions/sessions.js'
import type { UserRole } from '../store/users.js'

/** An administrator, and the request by which something is changed. */
export interface By {
  readonly person: Person
  readonly caller: Caller
}

/** Whose organization is asked about. */
export type OfOrganization = Pick<Person, 'organizationId' | 'organization'>

/** The answer of `GET /v1/org`. Times are RFC 3339, here and below; the names are those of the API. */
export interface OrganizationView {
  readonly name: string
  /** The primary one. */
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
  /** What is to stand in the DNS. */
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

/** What is asked of the audit; everything comes from outside. */
export interface AuditQuestion {
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

/** A new secret of the application in use, or another application, here or at another identity provider. */
export interface ReplacementRequest {
  readonly client_secret: string
  readonly client_id?: string
  readonly well_known_url?: string
}

/** What administrators do about their own organization. Methods reject with a `Problem` of the error table. */
export interface Administration {
  readOrganization(person: Person): Promise<OrganizationView>

  /** `userId` marks who asks; a machine is nobody. */
  listMembers(of: OfOrganization, userId: string | undefined): Promise<readonly MemberView[]>
  setRole(by: By, id: string, role: UserRole): Promise<MemberView>
  removeMember(by: By, id: string): Promise<void>

  listDomains(of: OfOrganization): Promise<readonly DomainView[]>
  addDomain(by: By, domain: string): Promise<DomainView>
  checkDomain(by: By, domain: string): Promise<DomainView>
  removeDomain(by: By, domain: string): Promise<void>

  readAudit(
    of: OfOrganization,
    question: AuditQuestion,
  ): Promise<{ readonly records: readonly AuditView[]; readonly next: string | null }>

  listTokens(of: OfOrganization): Promise<readonly TokenView[]>
  /** The token itself is in this answer, and nowhere else. */
  issueToken(by: By, request: TokenRequest): Promise<TokenView & { readonly token: string }>
  revokeToken(by: By, id: string): Promise<void>

  readConnection(of: OfOrganization): Promise<ConnectionView>
  proposeConnection(by: By, request: ReplacementRequest): Promise<NextConnection>
  /** Gives where a browser goes to sign in once through the next connection. */
  startConnectionTest(by: By): Promise<{ readonly url: string }>
  switchConnection(by: By): Promise<ConnectionView>
  dropNextConnection(by: By): Promise<void>

  /** The browser at that address: gives where it goes. Undefined when the link is none of ours. */
  beginTest(link: string, browser: string): Promise<string | undefined>
  /** The browser comes back. Undefined when it was not sent for such a test. */
  finishTest(back: Return, caller: Caller): Promise<TestOutcome | undefined>
}
