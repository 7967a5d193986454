import type {
  ApiToken,
  ApiTokenList,
  ApiTokenRequest,
  AuditPage,
  CatalogueRule,
  Connection,
  ConnectionTest,
  CurrentConnection,
  Domain,
  DomainList,
  IssuedApiToken,
  LatestReleases,
  ListedRule,
  Me,
  Member,
  MemberList,
  NextConnection,
  Organization,
  ProposedConnection,
  ReplacementRequest,
  Role,
  RuleCatalogue,
  Session,
  SessionList,
  Setup,
  SignedOut,
} from '@omen/server/api'
import { type ApiRequest, type ClientOptions, createSender, type Result } from '../api/request.js'
import {
  arrayOf,
  boolean,
  integer,
  noContent,
  nullable,
  oneOf,
  type Reader,
  record,
  shape,
  string,
} from '../api/shape.js'

type Response<T> = Promise<Result<T>>

export type AnnouncedTool = NonNullable<LatestReleases['tool']>

/** The API of the app. No method rejects: a failure is part of the result. */
export interface AppService {
  readSetup(): Response<Pick<Setup, 'base_url' | 'app_url'>>
  readMe(): Response<Me>
  readOrganization(): Response<Pick<Organization, 'role' | 'domains'>>
  readLatest(): Response<Pick<LatestReleases, 'tool'>>
  listRules(): Response<RuleCatalogue>
  readRule(id: string): Response<CatalogueRule>
  listSessions(): Response<SessionList>
  endSession(id: string): Response<true>
  signOut(): Response<Pick<SignedOut, 'logout_url'>>
  listMembers(): Response<MemberList>
  setRole(id: string, role: Role): Response<Member>
  removeMember(id: string): Response<true>
  listDomains(): Response<DomainList>
  addDomain(domain: string): Response<Domain>
  checkDomain(domain: string): Response<Domain>
  removeDomain(domain: string): Response<true>
  readConnection(): Response<Connection>
  proposeConnection(body: ReplacementRequest): Response<ProposedConnection>
  testConnection(): Response<ConnectionTest>
  switchConnection(): Response<Connection>
  discardConnection(): Response<true>
  listTokens(): Response<ApiTokenList>
  issueToken(body: ApiTokenRequest): Response<IssuedApiToken>
  revokeToken(id: string): Response<true>
  readAudit(page: { readonly action: string; readonly before?: string }): Response<AuditPage>
}

/** Audit records per page. */
const RECORDS = 50

/**
 * Connects to the API of the host that the app was loaded from.
 *
 * @example
 * const service = connectApp({ base: location.origin, fetch, now: () => new Date() })
 * const result = await service.listRules()
 */
export function connectApp(options: ClientOptions): AppService {
  const request = createSender(options)
  const get = <T>(path: string, read: Reader<T>, more: Partial<ApiRequest> = {}) =>
    request({ method: 'GET', path, ...more }, read)
  const send = <T>(method: ApiRequest['method'], path: string, read: Reader<T>, body?: unknown) =>
    request({ method, path, ...(body !== undefined && { body }) }, read)
  const org = (...path: readonly string[]) => ['/v1/org', ...path.map(encodeURIComponent)].join('/')

  return {
    readSetup: () => get('/v1/setup.json', shape({ base_url: string, app_url: string })),
    readMe: () => get('/v1/me', readMe),
    readOrganization: () => get('/v1/org', shape({ role: readRole, domains: arrayOf(string) })),
    readLatest: () => get('/v1/rules/latest', shape({}, { tool: readTool }), { cached: true }),
    listRules: () => get('/v1/catalogue', readCatalogue, { cached: true }),
    readRule: (id) => get(`/v1/catalogue/${encodeURIComponent(id)}`, readRule, { cached: true }),
    listSessions: () => get('/v1/sessions', shape({ sessions: arrayOf(readSession) })),
    endSession: (id) => send('DELETE', `/v1/sessions/${encodeURIComponent(id)}`, noContent),
    signOut: () => send('POST', '/v1/auth/logout', shape({}, { logout_url: string })),
    listMembers: () => get(org('members'), shape({ members: arrayOf(readMember) })),
    setRole: (id, role) => send('PATCH', org('members', id), readMember, { role }),
    removeMember: (id) => send('DELETE', org('members', id), noContent),
    listDomains: () => get(org('domains'), shape({ domains: arrayOf(readDomain) })),
    addDomain: (domain) => send('POST', org('domains'), readDomain, { domain }),
    checkDomain: (domain) => send('POST', org('domains', domain, 'check'), readDomain),
    removeDomain: (domain) => send('DELETE', org('domains', domain), noContent),
    readConnection: () => get(org('connection'), readConnection),
    proposeConnection: (body) => send('POST', org('connection'), shape({ next: readNextConnection }), body),
    testConnection: () => send('POST', org('connection', 'test'), shape({ url: string })),
    switchConnection: () => send('POST', org('connection', 'switch'), readConnection),
    discardConnection: () => send('DELETE', org('connection', 'next'), noContent),
    listTokens: () => get(org('tokens'), shape({ tokens: arrayOf(readToken) })),
    issueToken: (body) => send('POST', org('tokens'), readIssuedToken, body),
    revokeToken: (id) => send('DELETE', org('tokens', id), noContent),
    readAudit: ({ action, before }) => {
      const query = new URLSearchParams({
        limit: String(RECORDS),
        ...(action !== '' && { action }),
        ...(before !== undefined && { before }),
      })
      return get(`${org('audit')}?${query}`, readAuditPage)
    },
  }
}

const readRole = oneOf('administrator', 'member')

const readMe: Reader<Me> = shape({ email: string, name: string, org: shape({ name: string, domain: string }) })

const LISTED_RULE = {
  id: string,
  title: string,
  severity: integer,
  severity_label: oneOf('critical', 'high', 'medium', 'low', 'info'),
  category: string,
  tags: arrayOf(string),
  applications: arrayOf(string),
  cause: string,
  package: oneOf('community', 'private'),
} as const
const readListedRule: Reader<ListedRule> = shape(LISTED_RULE)
const readCatalogue: Reader<RuleCatalogue> = shape(
  { version: string, rules: arrayOf(readListedRule) },
  { private_version: string },
)
const readRule: Reader<CatalogueRule> = shape({
  ...LISTED_RULE,
  description: string,
  impact: string,
  mitigation: string,
  references: arrayOf(string),
  version: string,
  yaml: string,
})

const readSession: Reader<Session> = shape({
  id: string,
  kind: oneOf('browser', 'tool'),
  current: boolean,
  address: string,
  agent: string,
  created_at: string,
  last_seen_at: string,
  expires_at: string,
})

const readMember: Reader<Member> = shape({
  id: string,
  email: string,
  name: string,
  role: readRole,
  created_at: string,
  signed_in_at: string,
  sessions: integer,
  you: boolean,
})

const readDomain: Reader<Domain> = shape({
  domain: string,
  status: oneOf('verified', 'pending'),
  primary: boolean,
  added_at: string,
  verified_at: nullable(string),
  record: shape({ type: oneOf('TXT'), name: string, value: string }),
})

const readCurrentConnection: Reader<CurrentConnection> = shape({
  issuer: string,
  well_known_url: string,
  client_id: string,
  auth_method: string,
  redirect_uri: string,
  initiate_login_uri: string,
  backchannel_logout_uri: string,
  connected_at: string,
})
const readNextConnection: Reader<NextConnection> = shape({
  id: string,
  issuer: string,
  well_known_url: string,
  client_id: string,
  redirect_uri: string,
  status: oneOf('untested', 'testing', 'passed', 'failed'),
  detail: nullable(string),
  tested_as: nullable(string),
  created_at: string,
  expires_at: string,
})
const readConnection: Reader<Connection> = shape({
  current: readCurrentConnection,
  next: nullable(readNextConnection),
})

const TOKEN = {
  id: string,
  name: string,
  scopes: arrayOf(string),
  created_at: string,
  created_by: string,
  expires_at: nullable(string),
  last_used_at: nullable(string),
} as const
const readToken: Reader<ApiToken> = shape(TOKEN)
const readIssuedToken: Reader<IssuedApiToken> = shape({ ...TOKEN, token: string })

const readAuditPage: Reader<AuditPage> = shape({
  records: arrayOf(
    shape({ id: string, at: string, action: string, actor: string, address: nullable(string), detail: record }),
  ),
  next: nullable(string),
})

const readTool: Reader<AnnouncedTool> = shape({
  version: string,
  notes: string,
  files: arrayOf(shape({ platform: string, size: integer, sha256: string, url: string, sig_url: string })),
})
