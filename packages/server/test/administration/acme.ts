import { afterEach, beforeEach } from 'vitest'
import type { Actor, Administration } from '../../src/administration/administration.js'
import type { TestOutcome } from '../../src/organizations/sign-in-test.js'
import type { User } from '../../src/sessions/sessions.js'
import { randomString } from '../../src/signin/begin-authorization.js'
import type { TestDatabase } from '../engines.js'
import { makeTestService, type TestService } from '../sessions/test-service.js'
import { REQUESTER } from '../world.js'

/** The connected organization Acme, with the administrator Alice and the member Bob. */
export interface Acme {
  readonly service: TestService
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
  client_secret: 'another secret that must not appear',
} as const

/** Prepares Acme for each test, with the clock at noon of 2030-01-01. */
export function useAcme(database: TestDatabase): () => Acme {
  let acme: Acme | undefined
  beforeEach(async () => {
    acme = await makeAcme(database)
  })
  afterEach(() => acme?.service[Symbol.asyncDispose]())
  return () => acme!
}

const actorOf = (user: User): Actor => ({ user, requester: REQUESTER })

async function makeAcme(database: TestDatabase): Promise<Acme> {
  const service = await makeTestService(database.current())
  await service.connect()
  const { administration } = service
  const alice = actorOf(await service.enter({ sub: 'alice', email: 'alice@acme.com', name: 'Alice' }))
  const bob = actorOf(await service.enter({ sub: 'bob', email: 'bob@acme.com' }))
  return {
    service,
    administration,
    alice,
    bob,
    eve: async () => {
      await service.connect('Evil', 'evil.com')
      return actorOf(await service.enter({ sub: 'eve', email: 'eve@evil.com' }))
    },
    test: async (actor, claims = {}) => {
      const { url } = await administration.startConnectionTest(actor)
      const browser = randomString()
      const sent = await administration.beginTest(url.split('/').at(-1)!, browser)
      const { pathname, searchParams } = new URL(service.respond(new URL(sent!), claims))
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
