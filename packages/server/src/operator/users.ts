import { recordAudit } from '../audit/audit.js'
import { invalidRequest, nameIn } from '../organizations/fields.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { lockOrganization } from '../store/organizations/organizations.js'
import {
  deleteUser,
  findUserByAddress,
  hasAdministrator,
  type ListedUser,
  listUsers as listStored,
  releaseUser as release,
  saveRole,
  type UserRole,
} from '../store/organizations/users.js'
import type { RoleRecord, UserRecord } from './operations.js'
import { OPERATOR, type OperationsDeps } from './operations.js'

/** The users who have signed in, of one organization or of all. */
export async function listUsers(
  { database }: OperationsDeps,
  { org }: { readonly org?: string },
): Promise<readonly UserRecord[]> {
  const users = await listStored(database, org === undefined ? undefined : (nameIn(org) ?? ''))
  return users.map(userRecordOf)
}

/**
 * Detaches an address from its account at the identity provider: the next person who signs in with it takes over the user,
 * with its role. Ends the user's sessions.
 */
export function releaseUser(deps: OperationsDeps, email: string): Promise<UserRecord> {
  return change(deps, email, 'user.released', release)
}

/** Removes a user. A person who can still sign in at the identity provider comes back as a new user. */
export function removeUser(deps: OperationsDeps, email: string): Promise<UserRecord> {
  return change(deps, email, 'user.removed', deleteUser)
}

const ROLES: readonly string[] = ['administrator', 'member'] satisfies readonly UserRole[]

/** Makes a user an administrator or a member. Administrators can do that themselves, unless none is left. */
export function setUserRole(
  { database, clock }: OperationsDeps,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<RoleRecord> {
  if (!ROLES.includes(role)) throw invalidRequest([{ field: 'role', message: `is not one of ${ROLES.join(', ')}` }])
  return database.transaction(async (queries) => {
    const user = await lockByEmail(queries, email)
    if (user.role !== role) {
      await saveRole(queries, user.id, role as UserRole)
      const detail = { user: user.id, email: user.email, from: user.role, to: role }
      await recordAudit(queries, {
        at: clock(),
        actor: OPERATOR,
        action: 'user.role_changed',
        org: user.organization,
        detail,
      })
    }
    const administrated = await hasAdministrator(queries, user.organizationId)
    return { ...userRecordOf({ ...user, role: role as UserRole }), administrated }
  })
}

/** Locks a user against changes, by the lock of the organization that every change of its users takes. */
async function lockByEmail(queries: Queries, email: string): Promise<ListedUser> {
  const { organizationId } = await findByEmail(queries, email)
  await lockOrganization(queries, organizationId)
  return findByEmail(queries, email)
}

async function findByEmail(queries: Queries, email: string): Promise<ListedUser> {
  const user = /[\p{Cc}\p{Cs}]/u.test(email) ? undefined : await findUserByAddress(queries, email.trim())
  if (user) return user
  throw new Problem('not_found', `No user has signed in with ${JSON.stringify(email)}: see omen-server user list.`)
}

function change(
  { database, clock }: OperationsDeps,
  email: string,
  action: 'user.released' | 'user.removed',
  work: (queries: Queries, id: string) => Promise<void>,
): Promise<UserRecord> {
  return database.transaction(async (queries) => {
    const user = await lockByEmail(queries, email)
    await work(queries, user.id)
    await recordAudit(queries, {
      at: clock(),
      actor: OPERATOR,
      action,
      org: user.organization,
      detail: { user: user.id, email: user.email, role: user.role, sessions_ended: user.sessions },
    })
    return userRecordOf(user)
  })
}

const userRecordOf = (user: ListedUser): UserRecord => ({
  id: user.id,
  email: user.email,
  ...(user.name !== undefined && { name: user.name }),
  org: user.organization,
  role: user.role,
  sessions: user.sessions,
  createdAt: user.createdAt.toISOString(),
  signedInAt: user.signedInAt.toISOString(),
})
