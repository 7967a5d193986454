import { randomUUID } from 'node:crypto'
import { domainOfEmail } from '../signin/admit-email.js'
import { SignInFailure } from '../signin/sign-in-failure.js'
import type { Queries } from '../store/database.js'
import { holdRealm, type Realm } from '../store/organizations/connections.js'
import {
  findUserByEmail,
  findUserBySubject,
  hasUsers,
  insertUser,
  type StoredUser,
  saveSignIn,
} from '../store/organizations/users.js'

/** The verified identity of a sign-in. */
export interface VerifiedIdentity {
  readonly issuer: string
  readonly subject: string
  readonly clientId: string
  readonly email: string
  readonly name: string | undefined
}

/** `linked`: the account belonged to an earlier issuer or client, or was released, and now belongs to this identity. */
export interface AdmittedUser {
  readonly user: StoredUser
  readonly how: 'known' | 'created' | 'linked'
}

/**
 * Finds or creates the account of a sign-in. Accounts are identified by issuer and subject, never by address: the address of
 * another account is rejected. An account is taken over only if it was released, or belongs to an issuer or client that the
 * organization no longer uses. Undefined if the connection has been replaced, or the domain removed, in the meantime.
 */
export async function admitUser(
  queries: Queries,
  realm: Realm<unknown>,
  identity: VerifiedIdentity,
  now: Date,
): Promise<AdmittedUser | undefined> {
  const seen = await findUserBySubject(queries, realm.organizationId, identity)
  // The exclusive lock for new accounts makes sure that only one first user becomes the administrator.
  const domain = domainOfEmail(identity.email) ?? ''
  const isUnchanged = seen !== undefined && seen.email === identity.email
  if (!(await holdRealm(queries, realm, domain, isUnchanged ? 'share' : 'update'))) return undefined
  const known = await findUserBySubject(queries, realm.organizationId, identity)
  // Removed or released in the meantime: treated as a new user.
  if (isUnchanged && known === undefined && !(await holdRealm(queries, realm, domain, 'update'))) return undefined
  const namesake = await findUserByEmail(queries, realm.organizationId, identity.email)
  if (known !== undefined) {
    if (namesake !== undefined && namesake.id !== known.id) throw addressInUse(identity.email)
    return { user: await save(queries, known, identity, now), how: 'known' }
  }
  if (namesake !== undefined) {
    const isCurrent = namesake.issuer === identity.issuer && namesake.clientId === identity.clientId
    if (isCurrent) throw addressInUse(identity.email)
    return { user: await save(queries, namesake, identity, now), how: 'linked' }
  }
  const user: StoredUser = {
    id: randomUUID(),
    organizationId: realm.organizationId,
    ...identity,
    role: (await hasUsers(queries, realm.organizationId)) ? 'member' : 'administrator',
    createdAt: now,
    signedInAt: now,
  }
  await insertUser(queries, user)
  return { user, how: 'created' }
}

async function save(
  queries: Queries,
  user: StoredUser,
  { issuer, subject, clientId, email, name }: VerifiedIdentity,
  now: Date,
): Promise<StoredUser> {
  const saved: StoredUser = { ...user, issuer, subject, clientId, email, name: name ?? user.name, signedInAt: now }
  await saveSignIn(queries, saved)
  return saved
}

function addressInUse(email: string): SignInFailure {
  return new SignInFailure(
    'address_in_use',
    `${email} belongs to another account of your identity provider, which has signed in here before. If the address was given ` +
      `to you, or your account was created again, ask your administrator or the operator to release it: omen-server user release ${email}`,
  )
}
