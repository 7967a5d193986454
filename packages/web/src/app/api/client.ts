import { type ApiRequest, type ClientOptions, createSender, type Result } from '../../api/request.js'
import { noContent, type Reader, shape, string } from '../../api/shape.js'
import * as messages from './messages.js'

type Promised<T> = Promise<Result<T>>

/** The API of the app. No method rejects: a failure is part of the result. */
export interface AppService {
  readAddresses(): Promised<{ readonly base_url: string; readonly app_url: string }>
  readMe(): Promised<messages.Me>
  readOrganization(): Promised<messages.Organization>
  readLatest(): Promised<{ readonly tool: messages.AnnouncedTool | null }>
  listRules(): Promised<messages.RuleCatalogue>
  readRule(id: string): Promised<messages.WholeRule>
  listSessions(): Promised<messages.SessionList>
  endSession(id: string): Promised<true>
  signOut(): Promised<{ readonly logout_url: string | null }>
  listMembers(): Promised<messages.MemberList>
  setRole(id: string, role: messages.Role): Promised<messages.Member>
  removeMember(id: string): Promised<true>
  listDomains(): Promised<messages.DomainList>
  addDomain(domain: string): Promised<messages.Domain>
  checkDomain(domain: string): Promised<messages.Domain>
  removeDomain(domain: string): Promised<true>
  readConnection(): Promised<messages.Connection>
  offerConnection(body: messages.ConnectionRequest): Promised<{ readonly next: messages.NextConnection }>
  testConnection(): Promised<{ readonly url: string }>
  switchConnection(): Promised<messages.Connection>
  discardConnection(): Promised<true>
  listTokens(): Promised<messages.TokenList>
  issueToken(body: messages.TokenRequest): Promised<messages.NewToken>
  revokeToken(id: string): Promised<true>
  readAudit(page: { readonly action: string; readonly before?: string }): Promised<messages.AuditPage>
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
    readAddresses: () => get('/v1/setup.json', shape({ base_url: string, app_url: string })),
    readMe: () => get('/v1/me', messages.readMe),
    readOrganization: () => get('/v1/org', messages.readOrganization),
    readLatest: () => get('/v1/rules/latest', messages.readLatest, { cached: true }),
    listRules: () => get('/v1/catalogue', messages.readCatalogue, { cached: true }),
    readRule: (id) => get(`/v1/catalogue/${encodeURIComponent(id)}`, messages.readRule, { cached: true }),
    listSessions: () => get('/v1/sessions', messages.readSessions),
    endSession: (id) => send('DELETE', `/v1/sessions/${encodeURIComponent(id)}`, noContent),
    signOut: () => send('POST', '/v1/auth/logout', messages.readSignedOut),
    listMembers: () => get(org('members'), messages.readMembers),
    setRole: (id, role) => send('PATCH', org('members', id), messages.readMember, { role }),
    removeMember: (id) => send('DELETE', org('members', id), noContent),
    listDomains: () => get(org('domains'), messages.readDomains),
    addDomain: (domain) => send('POST', org('domains'), messages.readDomain, { domain }),
    checkDomain: (domain) => send('POST', org('domains', domain, 'check'), messages.readDomain),
    removeDomain: (domain) => send('DELETE', org('domains', domain), noContent),
    readConnection: () => get(org('connection'), messages.readConnection),
    offerConnection: (body) => send('POST', org('connection'), messages.readNext, body),
    testConnection: () => send('POST', org('connection', 'test'), messages.readTestUrl),
    switchConnection: () => send('POST', org('connection', 'switch'), messages.readConnection),
    discardConnection: () => send('DELETE', org('connection', 'next'), noContent),
    listTokens: () => get(org('tokens'), messages.readTokens),
    issueToken: (body) => send('POST', org('tokens'), messages.readNewToken, body),
    revokeToken: (id) => send('DELETE', org('tokens', id), noContent),
    readAudit: ({ action, before }) => {
      const query = new URLSearchParams({
        limit: String(RECORDS),
        ...(action !== '' && { action }),
        ...(before !== undefined && { before }),
      })
      return get(`${org('audit')}?${query}`, messages.readAudit)
    },
  }
}
