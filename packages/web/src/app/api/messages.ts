import { anything, flag, listOf, oneOf, orNull, type Read, shape, text, whole } from '../../api/shape.js'

const role = oneOf('administrator', 'member')
export type Role = Read<typeof role>

export const readMe = shape({ email: text, name: text, org: shape({ name: text, domain: text }) })
export type Me = Read<typeof readMe>

export const readOrganization = shape({ name: text, domain: text, role, domains: listOf(text) })
export type Organization = Read<typeof readOrganization>

const listedRule = {
  id: text,
  title: text,
  severity: whole,
  severity_label: text,
  category: text,
  tags: listOf(text),
  applications: listOf(text),
  cause: text,
  package: oneOf('community', 'private'),
}

export const readCatalogue = shape({ version: text, private_version: orNull(text), rules: listOf(shape(listedRule)) })
export type RuleCatalogue = Read<typeof readCatalogue>
export type ListedRule = RuleCatalogue['rules'][number]

export const readRule = shape({
  ...listedRule,
  description: text,
  impact: text,
  mitigation: text,
  references: listOf(text),
  version: text,
  yaml: text,
})
export type WholeRule = Read<typeof readRule>

const session = shape({
  id: text,
  kind: oneOf('browser', 'tool'),
  current: flag,
  address: text,
  agent: text,
  created_at: text,
  last_seen_at: text,
  expires_at: text,
})
export const readSessions = shape({ sessions: listOf(session) })
export type SessionList = Read<typeof readSessions>
export type Session = SessionList['sessions'][number]

export const readSignedOut = shape({ logout_url: orNull(text) })

export const readMember = shape({
  id: text,
  email: text,
  name: orNull(text),
  role,
  created_at: text,
  signed_in_at: orNull(text),
  sessions: whole,
  you: flag,
})
export type Member = Read<typeof readMember>
export const readMembers = shape({ members: listOf(readMember) })
export type MemberList = Read<typeof readMembers>

export const readDomain = shape({
  domain: text,
  status: oneOf('verified', 'pending'),
  primary: flag,
  added_at: text,
  verified_at: orNull(text),
  record: orNull(shape({ type: text, name: text, value: text })),
})
export type Domain = Read<typeof readDomain>
export const readDomains = shape({ domains: listOf(readDomain) })
export type DomainList = Read<typeof readDomains>

const currentConnection = shape({
  issuer: text,
  well_known_url: text,
  client_id: text,
  auth_method: orNull(text),
  redirect_uri: text,
  initiate_login_uri: orNull(text),
  backchannel_logout_uri: orNull(text),
  connected_at: text,
})
const nextConnection = shape({
  id: text,
  issuer: text,
  well_known_url: text,
  client_id: text,
  redirect_uri: text,
  status: oneOf('untested', 'testing', 'passed', 'failed'),
  detail: orNull(text),
  tested_as: orNull(text),
  created_at: text,
  expires_at: text,
})
export const readNext = shape({ next: nextConnection })
export const readConnection = shape({ current: currentConnection, next: orNull(nextConnection) })
export type Connection = Read<typeof readConnection>
export type CurrentConnection = Connection['current']
export type NextConnection = Read<typeof nextConnection>
export const readTestUrl = shape({ url: text })

const token = {
  id: text,
  name: text,
  scopes: listOf(text),
  created_at: text,
  created_by: orNull(text),
  expires_at: orNull(text),
  last_used_at: orNull(text),
}
export const readTokens = shape({ tokens: listOf(shape(token)) })
export type TokenList = Read<typeof readTokens>
export type Token = TokenList['tokens'][number]
export const readNewToken = shape({ ...token, token: text })
export type NewToken = Read<typeof readNewToken>

export const readAudit = shape({ records: listOf(anything), next: orNull(text) })
export type AuditPage = Read<typeof readAudit>

const announcedTool = shape({
  version: text,
  files: listOf(shape({ platform: text, size: whole, sha256: text, url: text })),
})
export const readLatest = shape({ tool: orNull(announcedTool) })
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
