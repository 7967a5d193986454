import type { Clock } from '../clock.js'
import type { Keys } from '../keys/keys.js'
import type { Urls } from '../organizations/urls.js'
import { Problem } from '../problem.js'
import type { CompilePackage } from '../releases/compile-package.js'
import type { Database } from '../store/database.js'
import type { ReleaseOperations } from './release-operations.js'

/** The operator's commands. They work beside a running server: through the database, or through the admin socket. */
export interface Operations extends ReleaseOperations {
  issueCode(request: { readonly org: string; readonly expires: string; readonly domain?: string }): Promise<IssuedCode>
  listCodes(): Promise<readonly CodeRecord[]>
  /** Takes the code itself or its id. */
  revokeCode(code: string): Promise<CodeRecord>
  listOrganizations(): Promise<readonly OrganizationRecord[]>
  showOrganization(name: string): Promise<OrganizationDetails>
  removeOrganization(name: string): Promise<OrganizationRecord>
  listUsers(filter: { readonly org?: string }): Promise<readonly UserRecord[]>
  /** Lets the next sign-in with an address take its user over. */
  releaseUser(email: string): Promise<UserRecord>
  removeUser(email: string): Promise<UserRecord>
  /** Makes a user an administrator or a member, when the organization has no administrator who can. */
  setUserRole(request: { readonly email: string; readonly role: string }): Promise<RoleRecord>
  audit(filter: AuditFilter): Promise<readonly AuditRecord[]>
  /** Makes a new encryption key the current one and re-encrypts every secret; returns how many. */
  rotateKeys(): Promise<{ readonly keyId: string; readonly reencrypted: number }>
  /** Makes a new signing key the current one. Tokens of older keys stay valid until they expire, or end at once. */
  rotateSigningKey(request: { readonly endTokens: boolean }): Promise<RotatedSigningKey>
}

export interface RotatedSigningKey {
  readonly keyId: string
  /** Older keys that tokens may still need. */
  readonly kept: number
  /** Older keys that are gone now. */
  readonly dropped: number
}

export interface IssuedCode {
  readonly id: string
  readonly code: string
  readonly org: string
  readonly expires: string
  readonly domain?: string
}

export type CodeState = 'issued' | 'exchanged' | 'completed' | 'expired' | 'revoked'

export interface CodeRecord {
  readonly id: string
  readonly org: string
  readonly domain?: string
  /** `YYYY-MM-DD`, UTC. */
  readonly expires: string
  readonly state: CodeState
  readonly issuedAt: string
}

export interface OrganizationRecord {
  readonly name: string
  readonly domains: readonly string[]
  readonly connected: boolean
  readonly createdAt: string
}

export interface OrganizationDetails extends OrganizationRecord {
  readonly issuer?: string
  readonly clientId?: string
  readonly signInUri?: string
  readonly connectedAt?: string
  readonly codes: readonly CodeRecord[]
}

/** A user who has signed in. */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly name?: string
  readonly org: string
  readonly role: 'administrator' | 'member'
  /** Browsers and tools in which the user is signed in, or was until now. */
  readonly sessions: number
  readonly createdAt: string
  readonly signedInAt: string
}

/** A user with a new role. */
export interface RoleRecord extends UserRecord {
  /** Whether the organization has an administrator who can sign in. */
  readonly administrated: boolean
}

export interface AuditFilter {
  readonly org?: string
  readonly action?: string
  readonly since?: string
  readonly limit?: number
  /** Only records after this one. */
  readonly after?: string
}

export interface AuditRecord {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly org?: string
  readonly detail: Readonly<Record<string, unknown>>
}

export interface OperationsDeps {
  readonly database: Database
  readonly keys: Keys
  readonly clock: Clock
  readonly urls: Urls
  /** How packages of rules are checked; in a thread of its own without it. */
  readonly compile?: CompilePackage
}

/** The actor in audit records. */
export const OPERATOR = 'operator'

export function unknownOrganization(name: string): Problem {
  return new Problem(
    'not_found',
    `There is no organization ${JSON.stringify(name)}. Names are exact: see omen-server org list.`,
  )
}
