import { Problem } from '../problem.js'
import { UUID } from '../sessions/parts.js'
import type { Person } from '../sessions/sessions.js'
import { listDomains } from '../store/domains.js'
import {
  deleteUser,
  hasAdministrator,
  type ListedUser,
  listMembers as listStored,
  lockMember,
  saveRole,
  type UserRole,
} from '../store/users.js'
import type { By, MemberView, OfOrganization, OrganizationView } from './administration.js'
import { type AdministrationParts, type Change, changeAs, lastAdministrator } from './parts.js'

/** The organization as everybody of it sees it. */
export async function readOrganization({ database }: AdministrationParts, person: Person): Promise<OrganizationView> {
  const domains = (await listDomains(database, person.organizationId)).map(({ domain }) => domain)
  const { org, role, userId } = person
  return { name: org.name, domain: domains[0] ?? org.domain, role, user_id: userId, domains }
}

/** Everybody who has signed in, by address. */
export async function listMembers(
  { database }: AdministrationParts,
  { organizationId }: OfOrganization,
  userId: string | undefined,
): Promise<readonly MemberView[]> {
  return (await listStored(database, organizationId)).map((member) => memberView(member, userId))
}

/** Makes somebody an administrator or a member. The same again changes nothing. */
export function setRole(parts: AdministrationParts, by: By, id: string, role: UserRole): Promise<MemberView> {
  return changeAs(parts, by, async (change) => {
    const member = await findMember(change, by, id)
    if (member.role !== role) {
      await saveRole(change.queries, member.id, role)
      await keepAdministrator(change, by)
      const { email } = member
      await change.record('user.role_changed', { user: member.id, email, from: member.role, to: role })
    }
    return memberView({ ...member, role }, by.person.userId)
  })
}

/** Removes an account; what it is signed in to ends. Who may still sign in at the identity provider comes back as a member. */
export function removeMember(parts: AdministrationParts, by: By, id: string): Promise<void> {
  return changeAs(parts, by, async (change) => {
    const { id: user, email, role, sessions } = await findMember(change, by, id)
    await deleteUser(change.queries, user)
    await keepAdministrator(change, by)
    await change.record('user.removed', { user, email, role, sessions_ended: sessions })
  })
}

async function findMember({ queries }: Change, { person }: By, id: string): Promise<ListedUser> {
  const member = UUID.test(id) ? await lockMember(queries, person.organizationId, id) : undefined
  if (member) return member
  throw new Problem('not_found', 'Your organization has no such member. Who there is: GET /v1/org/members.')
}

/** Refuses what has just been done when nobody could administer the organization after it. */
export async function keepAdministrator({ queries }: Change, { person }: By): Promise<void> {
  if (!(await hasAdministrator(queries, person.organizationId))) throw lastAdministrator()
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
