import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onPostgres } from '../../test/engines.js'
import { interrupted, untilItWaits } from '../../test/interleave.js'
import { makePeople, type People } from '../../test/sessions/people.js'
import { CLIENT, REQUESTER, removeTemporaryFolders } from '../../test/world.js'
import { createDevices } from './devices.js'

removeTemporaryFolders()

const SECONDS = Date.UTC(2030, 0, 1, 12) / 1000
const TOOL = { ...REQUESTER, agent: 'omen/0.3 (linux-x64)' }

/** The identity provider ends all that Alice has. */
async function logOut({ idp, sessions }: People, callbackId: string): Promise<void> {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const times = { iat: SECONDS, exp: SECONDS + 120 }
  const claims = { iss: idp.provider.issuer, aud: CLIENT.client_id, sub: 'user-1', jti: randomUUID(), events, ...times }
  await sessions.logOutByProvider(callbackId, await idp.sign(claims, { header: { typ: 'logout+jwt' } }), REQUESTER)
}

/** Whatever ends all that somebody is signed in to. */
const ENDS: readonly [string, (people: People, callbackId: string) => Promise<unknown>][] = [
  ['release of the user', ({ world }) => world.operations.releaseUser('alice@acme.com')],
  ['removal of the user', ({ world }) => world.operations.removeUser('alice@acme.com')],
  ['removal of the organization', ({ world }) => world.operations.removeOrganization('Acme')],
  ['another issuer', (people) => people.connect('Acme', 'acme.com', { issuer: 'https://new.acme.com' })],
  ['logout at the identity provider', logOut],
]

onPostgres((database) => {
  async function scene() {
    const people = await makePeople(database.current())
    const callbackId = await people.connect()
    const alice = await people.enter()
    const begun = await people.devices.begin(TOOL)
    return Object.assign(people, { alice, callbackId, begun })
  }
  /** Lets a call be overtaken by what ends everything; gives how to wait for that, too. */
  const overtaken = (people: People & { callbackId: string }, words: string, end: (typeof ENDS)[number][1]) => {
    let ending: Promise<unknown> = Promise.resolve()
    const middle = interrupted(database.current(), words, () => {
      ending = end(people, people.callbackId)
      return untilItWaits(database.current(), ending)
    })
    return { devices: createDevices({ ...people.deps, database: middle }), ended: () => ending }
  }

  test.each(ENDS)('%s while a tool fetches its tokens makes them useless', async (_, end) => {
    await using people = await scene()
    await people.devices.decide(people.alice, people.begun.user_code, 'approve', REQUESTER)
    const { devices, ended } = overtaken(people, 'insert into tool_logins', end)
    const answer = await devices.exchange(people.begun.device_code, TOOL)
    await ended()
    expect(await people.count('tool_logins')).toBe(0)
    if (typeof answer === 'string') expect(answer).toBe('invalid_grant')
    else expect(await people.devices.refresh(answer.refresh_token, TOOL)).toBe('invalid_grant')
  })

  test.each(ENDS)('%s while a user approves a tool keeps it from getting tokens', async (_, end) => {
    await using people = await scene()
    const { devices, ended } = overtaken(people, 'update device_requests', end)
    await devices.decide(people.alice, people.begun.user_code, 'approve', REQUESTER)
    await ended()
    expect(await people.devices.exchange(people.begun.device_code, TOOL)).not.toBeInstanceOf(Object)
    expect(await people.count('tool_logins')).toBe(0)
  })

  test.each(ENDS)('%s before a user approves a tool prevents the approval', async (_, end) => {
    await using people = await scene()
    await end(people, people.callbackId)
    expect(await people.devices.decide(people.alice, people.begun.user_code, 'approve', REQUESTER)).toBe(false)
    expect(await people.devices.exchange(people.begun.device_code, TOOL)).toBe('authorization_pending')
  })
})
