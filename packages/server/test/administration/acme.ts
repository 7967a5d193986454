import { afterEach, beforeEach } from 'vitest'
import type { Actor, Administration } from '../../src/administration/administration.js'
import type { TestOutcome } from '../../src/organizations/sign-in-test.js'
import type { User } from '../../src/sessions/sessions.js'
import { randomString } from '../../src/signin/begin-authorization.js'
import type { TestDatabase } from '../engines.js'
import { makePeople, type People } from '../sessions/people.js'
import { REQUESTER } from '../world.js'

/** The connected organization Acme, with the administrator Alice and the member Bob. */
export interface Acme {
  readonly people: People
  readonly administration: Administration
  readonly alice: Actor
  readonly bob: Actor
  /** The administrator of another organization. */
  eve(): Promise<Actor>
  /** Tests the next connection; gives the outcome. */
  test(actor: Actor, claims?: Record<string, unknown>): Promise<TestOutcome | undefined>
  /** The same user with the current role. */
  again(actor: Actor): Promise<Actor>
}

export const OTHER_ISSUER = 'https://new-idp.acme.com'
export const OTHER_IDP = {
  well_known_url: `${OTHER_ISSUER}/.well-known/openid-configuration`,
  client_id: 'client-7',
  client_secret: 'another secret that nobody may read',
} as const

/** Prepares Acme for each test, with the clock at noon of 2030-01-01. */
export function useAcme(database: TestDatabase): () => Acme {
  let acme: Acme | undefined
  beforeEach(async () => {
    acme = await makeAcme(database)
  })
  afterEach(() => acme?.people[Symbol.asyncDispose]())
  return () => acme!
}

const actorOf = (user: User): Actor => ({ user, requester: REQUESTER })

async function makeAcme(database: TestDatabase): Promise<Acme> {
  const people = await makePeople(database.current())
  await people.connect()
  const { administration } = people
  const alice = actorOf(await people.enter({ sub: 'alice', email: 'alice@acme.com', name: 'Alice' }))
  const bob = actorOf(await people.enter({ sub: 'bob', email: 'bob@acme.com' }))
  return {
    people,
    administration,
    alice,
    bob,
    eve: async () => {
      await people.connect('Evil', 'evil.com')
      return actorOf(await people.enter({ sub: 'eve', email: 'eve@evil.com' }))
    },
    test: async (who, claims = {}) => {
      const { url } = await administration.startConnectionTest(who)
      const browser = randomString()
      const sent = await administration.beginTest(url.split('/').at(-1)!, browser)
      const { pathname, searchParams } = new URL(people.answer(new URL(sent!), claims))
      return administration.finishTest(
        { callbackId: pathname.split('/').at(-1)!, query: searchParams, browser },
        REQUESTER,
      )
    },
    again: async ({ user }) => {
      const members = await administration.listMembers(user, undefined)
      const { role } = members.find(({ id }) => id === user.userId)!
      return actorOf({ ...user, role })
    },
  }
}
