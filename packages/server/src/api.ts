import type { FromSchema, JSONSchema } from 'json-schema-to-ts'
import type * as tokens from './http/schemas/api-tokens.js'
import type * as catalogue from './http/schemas/catalogue.js'
import type * as onboarding from './http/schemas/onboarding.js'
import type * as organization from './http/schemas/organization.js'
import type * as connection from './http/schemas/organization-connection.js'
import type * as problem from './http/schemas/problem.js'
import type * as releases from './http/schemas/releases.js'
import type * as service from './http/schemas/service.js'
import type * as signIn from './http/schemas/sign-in.js'

// The messages of the HTTP API as types, for programs that call it: `import type { Me } from '@omen/server/api'`.
// Each is derived from the schema of the same name in the OpenAPI document.

/** Immutable, and without the fields that a schema merely tolerates. */
type Closed<T> = T extends readonly (infer Item)[]
  ? readonly Closed<Item>[]
  : T extends object
    ? { readonly [Key in keyof T as string extends Key ? never : Key]: Closed<T[Key]> }
    : T

type Message<S extends JSONSchema> = Closed<FromSchema<S>>

export type { ProblemCode } from './problem.js'
export type Problem = Message<typeof problem.PROBLEM>

// Onboarding
export type Setup = Message<typeof service.SETUP>
export type OnboardingToken = Message<typeof onboarding.ONBOARDING_TOKEN>
export type ConnectionRequest = Message<typeof onboarding.CONNECTION_REQUEST>
export type OpenedTransaction = Message<typeof onboarding.OPENED_TRANSACTION>
export type CompletionRequest = Message<typeof onboarding.COMPLETION_REQUEST>
export type Completion = Message<typeof onboarding.COMPLETION>
export type SignInTest = Message<typeof onboarding.SIGN_IN_TEST>
export type SignInTestReport = Message<typeof onboarding.SIGN_IN_TEST_REPORT>

// Sign-in
export type Me = Message<typeof signIn.ME>
export type SessionList = Message<typeof signIn.SESSION_LIST>
export type Session = SessionList['sessions'][number]
export type SignedOut = Message<typeof signIn.SIGNED_OUT>
export type DeviceAuthorization = Message<typeof signIn.DEVICE_AUTHORIZATION>
export type ToolTokens = Message<typeof signIn.TOOL_TOKENS>
export type OAuthError = Message<typeof signIn.OAUTH_ERROR>

// Administration
export type Organization = Message<typeof organization.ORGANIZATION>
export type Role = Organization['role']
export type Member = Message<typeof organization.MEMBER>
export type MemberList = Message<typeof organization.MEMBER_LIST>
export type RoleRequest = Message<typeof organization.ROLE_REQUEST>
export type Domain = Message<typeof organization.ORGANIZATION_DOMAIN>
export type DomainList = Message<typeof organization.DOMAIN_LIST>
export type DomainRequest = Message<typeof organization.DOMAIN_REQUEST>
export type CurrentConnection = Message<typeof connection.CURRENT_CONNECTION>
export type NextConnection = Message<typeof connection.NEXT_CONNECTION>
export type Connection = Message<typeof connection.ORGANIZATION_CONNECTION>
export type ProposedConnection = Message<typeof connection.PROPOSED_CONNECTION>
export type ReplacementRequest = Message<typeof connection.REPLACEMENT_REQUEST>
export type ConnectionTest = Message<typeof connection.CONNECTION_TEST>
export type ApiToken = Message<typeof tokens.API_TOKEN>
export type ApiTokenList = Message<typeof tokens.API_TOKEN_LIST>
export type IssuedApiToken = Message<typeof tokens.ISSUED_API_TOKEN>
export type ApiTokenRequest = Message<typeof tokens.API_TOKEN_REQUEST>
/** `detail` depends on the action, so its fields are not known. */
export type AuditRecord = Omit<AuditRecordOfSchema, 'detail'> & { readonly detail: Readonly<Record<string, unknown>> }
export type AuditPage = {
  readonly records: readonly AuditRecord[]
  readonly next: Message<typeof organization.AUDIT_PAGE>['next']
}
type AuditRecordOfSchema = Message<typeof organization.AUDIT_PAGE>['records'][number]

// Releases
export type RuleCatalogue = Message<typeof catalogue.RULE_CATALOGUE>
export type ListedRule = RuleCatalogue['rules'][number]
export type CatalogueRule = Message<typeof catalogue.CATALOGUE_RULE>
export type LatestReleases = Message<typeof releases.LATEST_RELEASES>
export type ReleaseHistory = Message<typeof releases.RELEASE_HISTORY>
export type ReleaseKeys = Message<typeof releases.RELEASE_KEYS>
export type PublishedPackage = Message<typeof releases.PUBLISHED_PACKAGE>
