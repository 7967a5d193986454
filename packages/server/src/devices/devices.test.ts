import { expect, test } from 'vitest'
import { onBothEngines } from '../../test/engines.js'
import { makeTestService } from '../../test/sessions/test-service.js'
import { REQUESTER, removeTemporaryFolders, times, URLS } from '../../test/world.js'
import { randomString } from '../signin/begin-authorization.js'
import type { TokenError, TokenResponse } from './devices.js'

removeTemporaryFolders()

const TOOL = { address: '198.51.100.9', requestId: 'r', agent: 'omen/0.3 (linux-x64)' }

function tokensIn(response: TokenResponse | TokenError): TokenResponse {
  if (typeof response === 'string') expect.fail(response)
  return response
}

onBothEngines((database) => {
  async function scene() {
    const service = await makeTestService(database.current())
    await service.connect()
    const alice = await service.enter({ name: 'Alice' })
    const { devices } = service
    return Object.assign(service, {
      alice,
      /** Signs a tool in. */
      tool: async () => {
        const { device_code, user_code } = await devices.begin(TOOL)
        expect(await devices.decide(alice, user_code, 'approve', REQUESTER)).toBe(true)
        return tokensIn(await devices.exchange(device_code, TOOL))
      },
    })
  }

  test('a tool waits, is approved by a user who sees its details, and gets its tokens once', async () => {
    await using service = await scene()
    const { devices, alice } = service
    const begun = await devices.begin(TOOL)
    expect(begun).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${URLS.baseUrl}/device`,
      verification_uri_complete: `${URLS.baseUrl}/device?user_code=${begun.user_code}`,
      expires_in: 900,
      interval: 5,
    })
    expect(await devices.exchange(begun.device_code, TOOL)).toBe('authorization_pending')
    const typed = begun.user_code.toLowerCase().replace('-', ' ')
    expect(await devices.find(typed)).toMatchObject({
      userCode: begun.user_code,
      address: TOOL.address,
      agent: TOOL.agent,
    })
    expect(await devices.decide(alice, typed, 'approve', REQUESTER)).toBe(true)
    expect(await devices.find(typed)).toBeUndefined()
    expect(await devices.decide(alice, typed, 'deny', REQUESTER)).toBe(false)
    const responses = await Promise.all(times(20, () => devices.exchange(begun.device_code, TOOL)))
    const [given] = responses.filter((response) => typeof response !== 'string')
    expect(responses.filter((response) => response === 'invalid_grant')).toHaveLength(19)
    const tokens = tokensIn(given!)
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^omen_at_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^omen_rt_[\w-]{43}$/),
    })
    expect(await devices.read(tokens.access_token)).toMatchObject({ kind: 'tool', email: alice.email, name: 'Alice' })
    const [tool] = (await service.sessions.list(alice)).filter(({ kind }) => kind === 'tool')
    expect(tool).toMatchObject({ agent: TOOL.agent, address: TOOL.address, current: false })
    expect((await service.actions()).slice(-2)).toEqual(['device.approved', 'device.signed_in'])
    const dump = JSON.stringify(await database.current().query('select * from tool_logins'))
    for (const secret of [tokens.access_token, tokens.refresh_token]) expect(dump).not.toContain(secret)
    expect(await service.sessions.end(alice, tool!.id, REQUESTER)).toBe(true)
    expect(await devices.read(tokens.access_token)).toBeUndefined()
  })

  test('a tool that polls too fast must slow down, more each time', async () => {
    await using service = await scene()
    const { device_code } = await service.devices.begin(TOOL)
    const poll = (time: string) => {
      service.setClock(`2030-01-01T12:${time}Z`)
      return service.devices.exchange(device_code, TOOL)
    }
    expect(await poll('00:00')).toBe('authorization_pending')
    expect(await poll('00:05')).toBe('authorization_pending')
    expect(await poll('00:09')).toBe('slow_down')
    expect(await poll('00:18')).toBe('slow_down')
    expect(await poll('00:33')).toBe('authorization_pending')
    expect(await poll('15:00')).toBe('expired_token')
  })

  test('a tool that is denied, or not approved in time, gets no tokens', async () => {
    await using service = await scene()
    const { devices, alice } = service
    const denied = await devices.begin(TOOL)
    expect(await devices.decide(alice, denied.user_code, 'deny', REQUESTER)).toBe(true)
    expect(await devices.exchange(denied.device_code, TOOL)).toBe('access_denied')
    expect(await devices.exchange(denied.device_code, TOOL)).toBe('invalid_grant')
    const late = await devices.begin(TOOL)
    service.setClock('2030-01-01T12:15:00Z')
    expect(await devices.find(late.user_code)).toBeUndefined()
    expect(await devices.decide(alice, late.user_code, 'approve', REQUESTER)).toBe(false)
    expect(await devices.exchange(late.device_code, TOOL)).toBe('expired_token')
    for (const nonsense of ['', 'x', 'AAAA-AAAA', 'BCDF-GHJK', "'; drop table users"]) {
      expect(await devices.find(nonsense)).toBeUndefined()
      expect(await devices.exchange(nonsense, TOOL)).toBe('invalid_grant')
    }
  })

  test('tokens are renewed; a refresh token works once, with a minute for a lost response', async () => {
    await using service = await scene()
    const { devices } = service
    const first = await service.tool()
    service.setClock('2030-01-01T13:00:00Z')
    expect(await devices.read(first.access_token)).toBe('expired')
    const second = tokensIn(await devices.refresh(first.refresh_token, TOOL))
    expect(await devices.read(second.access_token)).toMatchObject({ email: 'alice@acme.com' })
    service.setClock('2030-01-01T13:00:59Z')
    const again = tokensIn(await devices.refresh(first.refresh_token, TOOL))
    expect(await devices.read(again.access_token)).toMatchObject({ email: 'alice@acme.com' })
    const third = tokensIn(await devices.refresh(again.refresh_token, TOOL))
    service.setClock('2030-01-01T13:02:00Z')
    expect(await devices.refresh(again.refresh_token, TOOL)).toBe('invalid_grant')
    expect(await devices.read(third.access_token)).toBeUndefined()
    expect(await devices.refresh(third.refresh_token, TOOL)).toBe('invalid_grant')
    expect((await service.actions()).at(-1)).toBe('device.ended')
  })

  test('a tool is signed out after thirty days, and when it signs out', async () => {
    await using service = await scene()
    const { devices } = service
    const [one, two] = [await service.tool(), await service.tool()]
    await devices.revoke(one.access_token, TOOL)
    expect(await devices.refresh(one.refresh_token, TOOL)).toBe('invalid_grant')
    for (const token of [one.access_token, 'x', randomString()]) await devices.revoke(token, TOOL)
    await devices.revoke((await service.tool()).refresh_token, TOOL)
    expect(await service.count('tool_logins')).toBe(1)
    service.setClock('2030-01-31T12:00:00Z')
    expect(await devices.refresh(two.refresh_token, TOOL)).toBe('invalid_grant')
  })

  test('no other token is accepted as an access token', async () => {
    await using service = await scene()
    const { refresh_token } = await service.tool()
    const { token } = await service.onboarding.exchangeCode(
      (await service.world.operations.issueCode({ org: 'New', expires: '2030-06-01' })).code,
      REQUESTER,
    )
    for (const other of [refresh_token, token, '', 'omen_at_x', await service.signIn()]) {
      expect(await service.devices.read(other)).toBeUndefined()
    }
  })
})
