import { type Answer, type CallerOptions, createCall, type Request } from '../../api/request.js'
import { nothing, type Reader, shape, text } from '../../api/shape.js'
import * as messages from './messages.js'

type Promised<T> = Promise<Answer<T>>

/** The API, as the app uses it. No method rejects: what goes wrong is part of the answer. */
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
  offerConnection(request: messages.ConnectionRequest): Promised<{ readonly next: messages.NextConnection }>
  testConnection(): Promised<{ readonly url: string }>
  switchConnection(): Promised<messages.Connection>
  discardConnection(): Promised<true>
  listTokens(): Promised<messages.TokenList>
  issueToken(request: messages.TokenRequest): Promised<messages.NewToken>
  revokeToken(id: string): Promised<true>
  readAudit(page: { readonly action: string; readonly before?: string }): Promised<messages.AuditPage>
}

/** So many records of the audit at a time. */
const RECORDS = 50

/**
 * Connects to the API of the host that the app was loaded from.
 *
 * @example
 * const service = connectApp({ base: location.origin, fetch, now: () => new Date() })
 * const answer = await service.listRules()
 */
export function connectApp(options: CallerOptions): AppService {
  const call = createCall(options)
  const get = <T>(path: string, read: Reader<T>, more: Partial<Request> = {}) =>
    call({ method: 'GET', path, ...more }, read)
  const send = <T>(method: Request['method'], path: string, read: Reader<T>, body?: unknown) =>
    call({ method, path, ...(body !== undefined && { body }) }, read)
  const org = (...parts: readonly string[]) => ['/v1/org', ...parts.map(encodeURIComponent)].join('/')

  return {
    readAddresses: () => get('/v1/setup.json', shape({ base_url: text, app_url: text })),
    readMe: () => get('/v1/me', messages.readMe),
    readOrganization: () => get('/v1/org', messages.readOrganization),
    readLatest: () => get('/v1/rules/latest', messages.readLatest, { kept: true }),
    listRules: () => get('/v1/catalogue', messages.readCatalogue, { kept: true }),
    readRule: (id) => get(`/v1/catalogue/${encodeURIComponent(id)}`, messages.readRule, { kept: true }),
    listSessions: () => get('/v1/sessions', messages.readSessions),
    endSession: (id) => send('DELETE', `/v1/sessions/${encodeURIComponent(id)}`, nothing),
    signOut: () => send('POST', '/v1/auth/logout', messages.readSignedOut),
    listMembers: () => get(org('members'), messages.readMembers),
    setRole: (id, role) => send('PATCH', org('members', id), messages.readMember, { role }),
    removeMember: (id) => send('DELETE', org('members', id), nothing),
    listDomains: () => get(org('domains'), messages.readDomains),
    addDomain: (domain) => send('POST', org('domains'), messages.readDomain, { domain }),
    checkDomain: (domain) => send('POST', org('domains', domain, 'check'), messages.readDomain),
    removeDomain: (domain) => send('DELETE', org('domains', domain), nothing),
    readConnection: () => get(org('connection'), messages.readConnection),
    offerConnection: (request) => send('POST', org('connection'), messages.readNext, request),
    testConnection: () => send('POST', org('connection', 'test'), messages.readTestUrl),
    switchConnection: () => send('POST', org('connection', 'switch'), messages.readConnection),
    discardConnection: () => send('DELETE', org('connection', 'next'), nothing),
    listTokens: () => get(org('tokens'), messages.readTokens),
    issueToken: (request) => send('POST', org('tokens'), messages.readNewToken, request),
    revokeToken: (id) => send('DELETE', org('tokens', id), nothing),
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
