import { Problem } from '../../problem.js'
import type { AuditFilter, Operations } from '../operations.js'
import { RELEASE_CALLS, RELEASE_READING_CALLS } from './release-calls.js'

/** A request to the socket: one operation with its argument, or `about`. */
export type CallName = keyof Operations | 'about'

/** What a command needs to know about the server. */
export interface About {
  /** Where administrators reach onboarding. */
  readonly onboardUrl: string
}

type Call = (operations: Operations, argument: unknown) => Promise<unknown>

/** Every operation of the socket, with the check of its argument. */
export const OPERATION_CALLS: { readonly [Name in keyof Operations]: Call } = {
  issueCode: (operations, argument) =>
    operations.issueCode(readTexts<'org' | 'expires', 'domain'>(argument, ['org', 'expires'], ['domain'])),
  listCodes: (operations) => operations.listCodes(),
  revokeCode: (operations, argument) => operations.revokeCode(readText(argument)),
  listOrganizations: (operations) => operations.listOrganizations(),
  showOrganization: (operations, argument) => operations.showOrganization(readText(argument)),
  removeOrganization: (operations, argument) => operations.removeOrganization(readText(argument)),
  listUsers: (operations, argument) => operations.listUsers(readTexts<never, 'org'>(argument, [], ['org'])),
  releaseUser: (operations, argument) => operations.releaseUser(readText(argument)),
  removeUser: (operations, argument) => operations.removeUser(readText(argument)),
  setUserRole: (operations, argument) =>
    operations.setUserRole(readTexts<'email' | 'role', never>(argument, ['email', 'role'], [])),
  audit: (operations, argument) => operations.audit(readFilter(argument)),
  rotateKeys: (operations) => operations.rotateKeys(),
  rotateSigningKey: (operations, argument) =>
    operations.rotateSigningKey({ endTokens: readSwitch(argument, 'endTokens') }),
  ...RELEASE_CALLS,
}

export const OPERATION_NAMES = Object.keys(OPERATION_CALLS) as readonly (keyof Operations)[]

/** The operations that change nothing: they may be repeated when the server ended during one. */
export const READING_CALLS: ReadonlySet<CallName> = new Set([
  'about',
  'listCodes',
  'listOrganizations',
  'showOrganization',
  'listUsers',
  'audit',
  ...RELEASE_READING_CALLS,
])

function readText(argument: unknown): string {
  if (typeof argument === 'string') return argument
  throw wrongArgument()
}

function readSwitch(argument: unknown, name: string): boolean {
  const value = typeof argument === 'object' && argument !== null ? Object.entries(argument) : []
  const given = new Map<string, unknown>(value).get(name)
  if (typeof given === 'boolean') return given
  throw wrongArgument()
}

function readTexts<Required extends string, Optional extends string>(
  argument: unknown,
  required: readonly Required[],
  optional: readonly Optional[],
): Readonly<Record<Required, string>> & Readonly<Partial<Record<Optional, string>>> {
  if (typeof argument !== 'object' || argument === null) throw wrongArgument()
  const given = new Map(Object.entries(argument))
  const read: Record<string, string> = {}
  for (const name of [...required, ...optional]) {
    const value = given.get(name)
    if (value === undefined && optional.some((other) => other === name)) continue
    read[name] = readText(value)
  }
  return read as Record<Required, string> & Partial<Record<Optional, string>>
}

function readFilter(argument: unknown): AuditFilter {
  const texts = readTexts<never, 'org' | 'action' | 'since' | 'after'>(
    argument,
    [],
    ['org', 'action', 'since', 'after'],
  )
  const limit = (argument as { readonly limit?: unknown }).limit
  if (limit === undefined) return texts
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0) return { ...texts, limit }
  throw wrongArgument()
}

function wrongArgument(): Problem {
  return new Problem(
    'invalid_request',
    'The admin socket does not understand this request. Use the same version of omen-server.',
  )
}
