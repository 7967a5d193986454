import { Problem } from '../problem.js'
import type { User } from '../sessions/sessions.js'
import { listDomains } from '../store/organizations/domains.js'
import {
  deleteUser,
  hasAdministrator,
  type ListedUser,
  listMembers as listStored,
  lockMember,
  saveRole,
  type UserRole,
} from '../store/organizations/users.js'
import { UUID } from '../store/values.js'
import type { Actor, AdministrationDeps, MemberView, OrganizationRef, OrganizationView } from './administration.js'
import { type Change, changeAs } from './change.js'

/** The organization as its users see it. */
export async function readOrganization({ database }: AdministrationDeps, user: User): Promise<OrganizationView> {
  const domains = (await listDomains(database, user.organizationId)).map(({ domain }) => domain)
  const { org, role, userId } = user
  return { name: org.name, domain: domains[0] ?? org.domain, role, user_id: userId, domains }
}

/** All users of the organization, sorted by address. */
export async function listMembers(
  { database }: AdministrationDeps,
  { organizationId }: OrganizationRef,
  userId: string | undefined,
): Promise<readonly MemberView[]> {
  return (await listStored(database, organizationId)).map((member) => memberView(member, userId))
}

/** Changes the role of a user. Setting the same role changes nothing. */
export function setRole(deps: AdministrationDeps, actor: Actor, id: string, role: UserRole): Promise<MemberView> {
  return changeAs(deps, actor, async (change) => {
    const member = await findMember(change, actor, id)
    if (member.role !== role) {
      await saveRole(change.queries, member.id, role)
      await keepAdministrator(change, actor)
      const { email } = member
      await change.record('user.role_changed', { user: member.id, email, from: member.role, to: role })
    }
    return memberView({ ...member, role }, actor.user.userId)
  })
}

/** Removes an account and ends its sessions. A user who can still sign in at the identity provider comes back as a member. */
export function removeMember(deps: AdministrationDeps, actor: Actor, id: string): Promise<void> {
  return changeAs(deps, actor, async (change) => {
    const { id: userId, email, role, sessions } = await findMember(change, actor, id)
    await deleteUser(change.queries, userId)
    await keepAdministrator(change, actor)
    await change.record('user.removed', { user: userId, email, role, sessions_ended: sessions })
  })
}

async function findMember({ queries }: Change, { user }: Actor, id: string): Promise<ListedUser> {
  const member = UUID.test(id) ? await lockMember(queries, user.organizationId, id) : undefined
  if (member) return member
  throw new Problem('not_found', 'Your organization has no such member. List the members with GET /v1/org/members.')
}

/** Undoes the change, by throwing, if the organization would have no administrator. */
export async function keepAdministrator({ queries }: Change, { user }: Actor): Promise<void> {
  if (!(await hasAdministrator(queries, user.organizationId))) throw lastAdministrator()
}

function memberView(member: ListedUser, userId: string | undefined): MemberView {
  return {
    id: member.id,
    email: member.email,
    name: member.name ?? member.email,
    role: member.role,
    created_at: member.createdAt.toISOString(),
    signed_in_at: member.signedInAt.toISOString(),
    sessions: member.sessions,
    you: member.id === userId,
  }
}

function lastAdministrator(): Problem {
  return new Problem(
    'last_administrator',
    'Your organization would have no administrator who can sign in. Make another user an administrator first.',
  )
}
