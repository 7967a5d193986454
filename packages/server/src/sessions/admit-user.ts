import { randomUUID } from 'node:crypto'
import { domainOfEmail } from '../signin/admit-email.js'
import { Refused } from '../signin/refusal.js'
import type { Queries } from '../store/database.js'
import { holdRealm, type Realm } from '../store/realms.js'
import { findUserByEmail, findUserBySubject, hasUsers, insertUser, saveSignIn, type User } from '../store/users.js'

/** Who signed in, checked. */
export interface Newcomer {
  readonly issuer: string
  readonly subject: string
  readonly clientId: string
  readonly email: string
  readonly name: string | undefined
}

/** What became of a newcomer: somebody who was known, who is new, or who was known at another issuer or was released. */
export interface Admitted {
  readonly user: User
  readonly how: 'known' | 'created' | 'linked'
}

/**
 * Finds or makes the user of a sign-in. Users are told apart by issuer and subject, never by their address: an address that
 * somebody else has is refused. It is taken over only where its user was released, or signed in at an issuer or with a client
 * that the organization no longer uses. Undefined when the connection is another by now, or the domain is gone.
 */
export async function admitUser(
  queries: Queries,
  realm: Realm<unknown>,
  newcomer: Newcomer,
  now: Date,
): Promise<Admitted | undefined> {
  const seen = await findUserBySubject(queries, realm.organizationId, newcomer)
  // Making a user takes the lock that another first user would take: only one of them is the administrator.
  const domain = domainOfEmail(newcomer.email) ?? ''
  const isSimple = seen !== undefined && seen.email === newcomer.email
  if (!(await holdRealm(queries, realm, domain, isSimple ? 'share' : 'update'))) return undefined
  const known = await findUserBySubject(queries, realm.organizationId, newcomer)
  // Removed or released meanwhile: then it is as if it had never been seen.
  if (isSimple && known === undefined && !(await holdRealm(queries, realm, domain, 'update'))) return undefined
  const namesake = await findUserByEmail(queries, realm.organizationId, newcomer.email)
  if (known !== undefined) {
    if (namesake !== undefined && namesake.id !== known.id) throw addressInUse(newcomer.email)
    return { user: await save(queries, known, newcomer, now), how: 'known' }
  }
  if (namesake !== undefined) {
    const isCurrent = namesake.issuer === newcomer.issuer && namesake.clientId === newcomer.clientId
    if (isCurrent) throw addressInUse(newcomer.email)
    return { user: await save(queries, namesake, newcomer, now), how: 'linked' }
  }
  const user: User = {
    id: randomUUID(),
    organizationId: realm.organizationId,
    ...newcomer,
    role: (await hasUsers(queries, realm.organizationId)) ? 'member' : 'administrator',
    createdAt: now,
    signedInAt: now,
  }
  await insertUser(queries, user)
  return { user, how: 'created' }
}

async function save(
  queries: Queries,
  user: User,
  { issuer, subject, clientId, email, name }: Newcomer,
  now: Date,
): Promise<User> {
  const saved: User = { ...user, issuer, subject, clientId, email, name: name ?? user.name, signedInAt: now }
  await saveSignIn(queries, saved)
  return saved
}

function addressInUse(email: string): Refused {
  return new Refused(
    'address_in_use',
    `${email} belongs to another account of your identity provider, which has signed in here before. If the address was given to you, ` +
      `or your account was made anew, ask your administrator or the operator to release it: omen-server user release ${email}`,
  )
}
