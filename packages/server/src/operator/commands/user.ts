import { readableMoment } from '../moments.js'
import type { UserRecord } from '../operations.js'
import { formatTable, onOneLine } from '../table.js'
import { type CommandContext, print } from './context.js'

/** `omen-server user list` */
export async function listUsers(context: CommandContext, org: string | undefined): Promise<void> {
  const filter = org === undefined ? {} : { org }
  const users = await context.reach.run((operations) => operations.listUsers(filter))
  print(context, users, () => (users.length > 0 ? renderUsers(users) : 'Nobody has signed in yet.\n'))
}

function renderUsers(users: readonly UserRecord[]): string {
  const rows = users.map(({ email, name, org, role, sessions, signedInAt }) => [
    email,
    name ?? '',
    org,
    role,
    String(sessions),
    readableMoment(signedInAt),
  ])
  return formatTable(['ADDRESS', 'NAME', 'ORGANIZATION', 'ROLE', 'SESSIONS', 'SIGNED IN (UTC)'], rows)
}

/** `omen-server user role` */
export async function setUserRole(context: CommandContext, email: string, role: string): Promise<void> {
  const changed = await context.reach.run((operations) => operations.setUserRole({ email, role }))
  print(context, changed, ({ email: address, org, role: now, administrated }) => {
    const article = now === 'administrator' ? 'an administrator' : 'a member'
    const advice = administrated
      ? ''
      : ` No administrator of ${org} can sign in any more: make somebody an administrator.`
    return onOneLine(`${address} is ${article} of ${org}.${advice}`).concat('\n')
  })
}

/** `omen-server user release` */
export async function releaseUser(context: CommandContext, email: string): Promise<void> {
  const released = await context.reach.run((operations) => operations.releaseUser(email))
  print(context, released, (user) => {
    const message = `Released ${user.email} of ${user.org}. The next person who signs in with this address takes over the user`
    return onOneLine(`${message}, as ${user.role}. ${ended(user)}`).concat('\n')
  })
}

/** `omen-server user remove` */
export async function removeUser(context: CommandContext, email: string): Promise<void> {
  const removed = await context.reach.run((operations) => operations.removeUser(email))
  print(context, removed, (user) => {
    const advice = 'To keep this person out, also remove the assignment at the identity provider.'
    return onOneLine(`Removed ${user.email} of ${user.org}. ${ended(user)} ${advice}`).concat('\n')
  })
}

function ended({ sessions }: UserRecord): string {
  return sessions === 1 ? '1 session was ended.' : `${sessions} sessions were ended.`
}
