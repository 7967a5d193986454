import { recordAudit } from '../audit/audit.js'
import { nameIn } from '../onboarding/normalize-request.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import {
  deleteUser,
  type ListedUser,
  listUsers as listStored,
  lockUserByEmail,
  releaseUser as release,
} from '../store/users.js'
import { OPERATOR, type OperationsParts } from './create-operations.js'
import type { UserRecord } from './operations.js'

/** Everybody who has signed in, of one organization or of all. */
export async function listUsers(
  { database }: OperationsParts,
  { org }: { readonly org?: string },
): Promise<readonly UserRecord[]> {
  const users = await listStored(database, org === undefined ? undefined : (nameIn(org) ?? ''))
  return users.map(userRecordOf)
}

/**
 * Frees an address from the account of the identity provider that it belongs to: whoever signs in with it next takes the user
 * over, with its role. Ends what the user is signed in to.
 */
export function releaseUser(parts: OperationsParts, email: string): Promise<UserRecord> {
  return change(parts, email, 'user.released', release)
}

/** Removes a user. Whoever may still sign in at the identity provider comes back as a new one: that is decided there. */
export function removeUser(parts: OperationsParts, email: string): Promise<UserRecord> {
  return change(parts, email, 'user.removed', deleteUser)
}

function change(
  { database, clock }: OperationsParts,
  email: string,
  action: 'user.released' | 'user.removed',
  work: (queries: Queries, id: string) => Promise<void>,
): Promise<UserRecord> {
  return database.transaction(async (queries) => {
    const user = /[\p{Cc}\p{Cs}]/u.test(email) ? undefined : await lockUserByEmail(queries, email.trim())
    if (!user) {
      throw new Problem('not_found', `Nobody has signed in with ${JSON.stringify(email)}: see omen-server user list.`)
    }
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
