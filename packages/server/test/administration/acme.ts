import { afterEach, beforeEach } from 'vitest'
import type { Administration, By } from '../../src/administration/administration.js'
import type { TestOutcome } from '../../src/onboarding/onboarding.js'
import type { Person } from '../../src/sessions/sessions.js'
import { randomText } from '../../src/signin/begin-authorization.js'
import type { TestDatabase } from '../engines.js'
import { makePeople, type People } from '../sessions/people.js'
import { CALLER } from '../world.js'

/** Acme, connected, with Alice, who administers it, and Bob, who does not. */
export interface Acme {
  readonly people: People
  readonly administration: Administration
  readonly alice: By
  readonly bob: By
  /** Somebody of another organization, who administers that one. */
  eve(): Promise<By>
  /** Signs in once through the next connection; gives what came of it. */
  test(by: By, claims?: Record<string, unknown>): Promise<TestOutcome | undefined>
  /** Somebody as they are by now, with their role. */
  again(by: By): Promise<By>
}

export const OTHER_ISSUER = 'https://new-idp.acme.com'
export const OTHER_IDP = {
  well_known_url: `${OTHER_ISSUER}/.well-known/openid-configuration`,
  client_id: 'client-7',
  client_secret: 'another secret that nobody may read',
} as const

/** Sets the scene anew for each test, at noon of 2030-01-01. */
export function useAcme(database: TestDatabase): () => Acme {
  let acme: Acme | undefined
  beforeEach(async () => {
    acme = await makeAcme(database)
  })
  afterEach(() => acme?.people[Symbol.asyncDispose]())
  return () => acme!
}

const by = (person: Person): By => ({ person, caller: CALLER })

async function makeAcme(database: TestDatabase): Promise<Acme> {
  const people = await makePeople(database.current())
  await people.connect()
  const { administration } = people
  const alice = by(await people.enter({ sub: 'alice', email: 'alice@acme.com', name: 'Alice' }))
  const bob = by(await people.enter({ sub: 'bob', email: 'bob@acme.com' }))
  return {
    people,
    administration,
    alice,
    bob,
    eve: async () => {
      await people.connect('Evil', 'evil.com')
      return by(await people.enter({ sub: 'eve', email: 'eve@evil.com' }))
    },
    test: async (who, claims = {}) => {
      const { url } = await administration.startConnectionTest(who)
      const browser = randomText()
      const sent = await administration.beginTest(url.split('/').at(-1)!, browser)
      const { pathname, searchParams } = new URL(people.answer(new URL(sent!), claims))
      return administration.finishTest(
        { callbackId: pathname.split('/').at(-1)!, query: searchParams, browser },
        CALLER,
      )
    },
    again: async ({ person }) => {
      const members = await administration.listMembers(person, undefined)
      const { role } = members.find(({ id }) => id === person.userId)!
      return by({ ...person, role })
    },
  }
}
