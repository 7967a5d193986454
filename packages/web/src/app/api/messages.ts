import { arrayOf, boolean, integer, nullable, oneOf, type Read, record, shape, string } from '../../api/shape.js'

const role = oneOf('administrator', 'member')
export type Role = Read<typeof role>

export const readMe = shape({ email: string, name: string, org: shape({ name: string, domain: string }) })
export type Me = Read<typeof readMe>

export const readOrganization = shape({ name: string, domain: string, role, domains: arrayOf(string) })
export type Organization = Read<typeof readOrganization>

const listedRule = {
  id: string,
  title: string,
  severity: integer,
  severity_label: string,
  category: string,
  tags: arrayOf(string),
  applications: arrayOf(string),
  cause: string,
  package: oneOf('community', 'private'),
}

export const readCatalogue = shape({
  version: string,
  private_version: nullable(string),
  rules: arrayOf(shape(listedRule)),
})
export type RuleCatalogue = Read<typeof readCatalogue>
export type ListedRule = RuleCatalogue['rules'][number]

export const readRule = shape({
  ...listedRule,
  description: string,
  impact: string,
  mitigation: string,
  references: arrayOf(string),
  version: string,
  yaml: string,
})
export type WholeRule = Read<typeof readRule>

const session = shape({
  id: string,
  kind: oneOf('browser', 'tool'),
  current: boolean,
  address: string,
  agent: string,
  created_at: string,
  last_seen_at: string,
  expires_at: string,
})
export const readSessions = shape({ sessions: arrayOf(session) })
export type SessionList = Read<typeof readSessions>
export type Session = SessionList['sessions'][number]

export const readSignedOut = shape({ logout_url: nullable(string) })

export const readMember = shape({
  id: string,
  email: string,
  name: nullable(string),
  role,
  created_at: string,
  signed_in_at: nullable(string),
  sessions: integer,
  you: boolean,
})
export type Member = Read<typeof readMember>
export const readMembers = shape({ members: arrayOf(readMember) })
export type MemberList = Read<typeof readMembers>

export const readDomain = shape({
  domain: string,
  status: oneOf('verified', 'pending'),
  primary: boolean,
  added_at: string,
  verified_at: nullable(string),
  record: nullable(shape({ type: string, name: string, value: string })),
})
export type Domain = Read<typeof readDomain>
export const readDomains = shape({ domains: arrayOf(readDomain) })
export type DomainList = Read<typeof readDomains>

const currentConnection = shape({
  issuer: string,
  well_known_url: string,
  client_id: string,
  auth_method: nullable(string),
  redirect_uri: string,
  initiate_login_uri: nullable(string),
  backchannel_logout_uri: nullable(string),
  connected_at: string,
})
const nextConnection = shape({
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
export const readNext = shape({ next: nextConnection })
export const readConnection = shape({ current: currentConnection, next: nullable(nextConnection) })
export type Connection = Read<typeof readConnection>
export type CurrentConnection = Connection['current']
export type NextConnection = Read<typeof nextConnection>
export const readTestUrl = shape({ url: string })

const token = {
  id: string,
  name: string,
  scopes: arrayOf(string),
  created_at: string,
  created_by: nullable(string),
  expires_at: nullable(string),
  last_used_at: nullable(string),
}
export const readTokens = shape({ tokens: arrayOf(shape(token)) })
export type TokenList = Read<typeof readTokens>
export type Token = TokenList['tokens'][number]
export const readNewToken = shape({ ...token, token: string })
export type NewToken = Read<typeof readNewToken>

export const readAudit = shape({ records: arrayOf(record), next: nullable(string) })
export type AuditPage = Read<typeof readAudit>

const announcedTool = shape({
  version: string,
  files: arrayOf(shape({ platform: string, size: integer, sha256: string, url: string })),
})
export const readLatest = shape({ tool: nullable(announcedTool) })
export type AnnouncedTool = Read<typeof announcedTool>

/** What to send for a new connection: a new secret of the same application, or another application. */
export type ConnectionRequest =
  | { readonly client_secret: string }
  | { readonly well_known_url: string; readonly client_id: string; readonly client_secret: string }

export interface TokenRequest {
  readonly name: string
  readonly scopes: readonly string[]
  readonly expires_at: string
}
