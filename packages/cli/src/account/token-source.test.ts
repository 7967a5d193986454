import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccountServer, oauthError, startAccountServer, tokenResponse } from '../../test/account-service.js'
import { whileReadOnly } from '../../test/read-only-folder.js'
import { createVirtualClock, type VirtualClock } from '../../test/virtual-clock.js'
import { readSignIn, removeTokens, type SignIn, writeSignIn } from './token-file.js'
import { renewInBackground, renewSignIn, signedInTokens } from './token-source.js'

const TOKEN = '/v1/auth/token'

let server: AccountServer
let folder = ''
let clock: VirtualClock
let expired: SignIn
beforeEach(async () => {
  server = await startAccountServer()
  folder = mkdtempSync(join(tmpdir(), 'omen-renew-'))
  clock = createVirtualClock()
  expired = { service: server.url, accessToken: 'omen_at_0', refreshToken: 'omen_rt_0', expiresAt: clock.now() }
  await writeSignIn(folder, expired)
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

const renew = (from = expired) => renewSignIn(from, { folder, url: new URL(server.url), env: {}, clock })

describe('an expired sign-in', () => {
  it('is renewed, and stored before it is used', async () => {
    const renewed = await renew()
    expect(renewed).toEqual({
      service: server.url,
      accessToken: 'omen_at_1',
      refreshToken: 'omen_rt_1',
      expiresAt: clock.now() + 3_600_000,
    })
    expect(readSignIn(folder)).toEqual(renewed)
    expect(server.posted(TOKEN)).toEqual([{ grant_type: 'refresh_token', refresh_token: 'omen_rt_0' }])
  })

  it('is renewed once for all requests that wait for it', async () => {
    // The lock does the same for several processes: packages/cli/test/login.test.ts.
    const tokens = signedInTokens(expired, { now: clock.now, renew })
    expect(await Promise.all([tokens.current(), tokens.current(), tokens.renewed('omen_at_0')])).toEqual(
      Array(3).fill('omen_at_1'),
    )
    expect(await renew()).toMatchObject({ accessToken: 'omen_at_1' })
    expect(server.posted(TOKEN)).toHaveLength(1)
  })

  it('is requested again if the response may be lost, three times at most', async () => {
    const broken = (response: import('node:http').ServerResponse) => void response.socket?.resetAndDestroy()
    server.responses.set(TOKEN, [broken, { status: 503 }, broken])
    await expect(renew()).rejects.toThrow(
      `${server.host}: the connection was closed: the sign-in could not be renewed: try again later`,
    )
    expect(server.posted(TOKEN).map(({ refresh_token }) => refresh_token)).toEqual(Array(3).fill('omen_rt_0'))
    expect(readSignIn(folder)).toEqual(expired)
    server.responses.delete(TOKEN)
    expect(await renew()).toMatchObject({ accessToken: 'omen_at_1' })
  })

  it('cannot be renewed when the service has ended it', async () => {
    server.responses.set(TOKEN, [oauthError('invalid_grant')])
    await expect(renew()).rejects.toThrow(`${server.host}: the sign-in has ended. Sign in again: omen login`)
  })

  it('is not renewed after the user has signed out, or signed in to another service', async () => {
    removeTokens(folder)
    expect(await renew()).toBeUndefined()
    await writeSignIn(folder, { ...expired, service: 'https://other.example.com' })
    expect(await renew()).toBeUndefined()
    expect(server.requests).toEqual([])
  })

  it('is not renewed if the new tokens cannot be stored', async () => {
    const failure = await whileReadOnly(folder, () => renew().catch((error: Error) => error))
    expect(failure).toMatchObject({
      kind: 'Config',
      message: `${folder} is not writable, and omen stores tokens there: make it writable, or set OMEN_CONFIG_DIR to another folder`,
    })
    expect(server.requests).toEqual([])
  })
})

describe('a renewal in the background', () => {
  it('returns the tokens that the other process stored', async () => {
    const start = async () => void (await renew())
    expect(await renewInBackground(expired, { folder, env: {}, start })).toMatchObject({ accessToken: 'omen_at_1' })
  })

  it('is not started if tokens cannot be stored: the scan continues without a token', async () => {
    const start = () => expect.fail('no process may start')
    expect(await renewInBackground(expired, { folder: join(folder, 'absent'), env: {}, start })).toBeUndefined()
  })

  it('says what to do if it failed', async () => {
    await expect(renewInBackground(expired, { folder, env: {}, start: async () => {} })).rejects.toThrow(
      `${server.host}: the sign-in could not be renewed: run omen whoami to see why`,
    )
  })

  it('continues when its caller no longer waits', async () => {
    const controller = new AbortController()
    const tokens = signedInTokens(expired, {
      now: clock.now,
      renew: (from, signal) => renewInBackground(from, { folder, env: {}, signal, start: () => new Promise(() => {}) }),
    })
    const waiting = tokens.current(controller.signal)
    expect(tokens.isRenewing).toBe(true)
    controller.abort(new Error('interrupted'))
    await expect(waiting).rejects.toThrow('interrupted')
  })
})

it('tokens that expire at once are not renewed for every request', async () => {
  server.responses.set(TOKEN, [{ status: 200, json: { ...tokenResponse(1), expires_in: 0 } }])
  const tokens = signedInTokens(expired, { now: clock.now, renew })
  for (let request = 0; request < 3; request++) expect(await tokens.current()).toBe('omen_at_1')
  expect(server.posted(TOKEN)).toHaveLength(1)
})
