import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onPostgres } from '../../test/engines.js'
import { interrupted, untilItWaits } from '../../test/interleave.js'
import { makeTestService, type TestService } from '../../test/sessions/test-service.js'
import { CLIENT, REQUESTER, removeTemporaryFolders } from '../../test/world.js'
import { createDevices } from './devices.js'

removeTemporaryFolders()

const SECONDS = Date.UTC(2030, 0, 1, 12) / 1000
const TOOL = { ...REQUESTER, agent: 'omen/0.3 (linux-x64)' }

/** The identity provider ends all sessions of Alice. */
async function logOut({ idp, sessions }: TestService, callbackId: string): Promise<void> {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const times = { iat: SECONDS, exp: SECONDS + 120 }
  const claims = { iss: idp.provider.issuer, aud: CLIENT.client_id, sub: 'user-1', jti: randomUUID(), events, ...times }
  await sessions.logOutByProvider(callbackId, await idp.sign(claims, { header: { typ: 'logout+jwt' } }), REQUESTER)
}

/** Each event that ends all sessions of a user. */
const ENDS: readonly [string, (service: TestService, callbackId: string) => Promise<unknown>][] = [
  ['release of the user', ({ world }) => world.operations.releaseUser('alice@acme.com')],
  ['removal of the user', ({ world }) => world.operations.removeUser('alice@acme.com')],
  ['removal of the organization', ({ world }) => world.operations.removeOrganization('Acme')],
  ['another issuer', (service) => service.connect('Acme', 'acme.com', { issuer: 'https://new.acme.com' })],
  ['logout at the identity provider', logOut],
]

onPostgres((database) => {
  async function scene() {
    const service = await makeTestService(database.current())
    const callbackId = await service.connect()
    const alice = await service.enter()
    const begun = await service.devices.begin(TOOL)
    return Object.assign(service, { alice, callbackId, begun })
  }
  /** Runs the event that ends everything during a call; also returns how to wait for it. */
  const overtaken = (service: TestService & { callbackId: string }, sqlPart: string, end: (typeof ENDS)[number][1]) => {
    let ending: Promise<unknown> = Promise.resolve()
    const middle = interrupted(database.current(), sqlPart, () => {
      ending = end(service, service.callbackId)
      return untilItWaits(database.current(), ending)
    })
    return { devices: createDevices({ ...service.deps, database: middle }), ended: () => ending }
  }

  test.each(ENDS)('%s while a tool fetches its tokens makes them useless', async (_, end) => {
    await using service = await scene()
    await service.devices.decide(service.alice, service.begun.user_code, 'approve', REQUESTER)
    const { devices, ended } = overtaken(service, 'insert into tool_logins', end)
    const response = await devices.exchange(service.begun.device_code, TOOL)
    await ended()
    expect(await service.count('tool_logins')).toBe(0)
    if (typeof response === 'string') expect(response).toBe('invalid_grant')
    else expect(await service.devices.refresh(response.refresh_token, TOOL)).toBe('invalid_grant')
  })

  test.each(ENDS)('%s while a user approves a tool keeps it from getting tokens', async (_, end) => {
    await using service = await scene()
    const { devices, ended } = overtaken(service, 'update device_requests', end)
    await devices.decide(service.alice, service.begun.user_code, 'approve', REQUESTER)
    await ended()
    expect(await service.devices.exchange(service.begun.device_code, TOOL)).not.toBeInstanceOf(Object)
    expect(await service.count('tool_logins')).toBe(0)
  })

  test.each(ENDS)('%s before a user approves a tool prevents the approval', async (_, end) => {
    await using service = await scene()
    await end(service, service.callbackId)
    expect(await service.devices.decide(service.alice, service.begun.user_code, 'approve', REQUESTER)).toBe(false)
    expect(await service.devices.exchange(service.begun.device_code, TOOL)).toBe('authorization_pending')
  })
})
