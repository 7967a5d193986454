import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccountServer, refusal, startAccountServer, tokenAnswer } from '../../test/account-service.js'
import { whileReadOnly } from '../../test/read-only-folder.js'
import { createVirtualClock, type VirtualClock } from '../../test/virtual-clock.js'
import { renewSignIn } from './renew.js'
import { renewAside } from './renew-aside.js'
import { readSignIn, removeTokens, type SignIn, writeSignIn } from './token-file.js'
import { signedInTokens } from './token-source.js'

const TOKEN = '/v1/auth/token'

let server: AccountServer
let folder = ''
let clock: VirtualClock
let stale: SignIn
beforeEach(async () => {
  server = await startAccountServer()
  folder = mkdtempSync(join(tmpdir(), 'omen-renew-'))
  clock = createVirtualClock()
  stale = { service: server.url, accessToken: 'omen_at_0', refreshToken: 'omen_rt_0', expiresAt: clock.now() }
  await writeSignIn(folder, stale)
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

const renew = (from = stale) => renewSignIn(from, { folder, url: new URL(server.url), env: {}, clock })

describe('a sign-in that is over', () => {
  it('is renewed, and kept before it is used', async () => {
    const fresh = await renew()
    expect(fresh).toEqual({
      service: server.url,
      accessToken: 'omen_at_1',
      refreshToken: 'omen_rt_1',
      expiresAt: clock.now() + 3_600_000,
    })
    expect(readSignIn(folder)).toEqual(fresh)
    expect(server.posted(TOKEN)).toEqual([{ grant_type: 'refresh_token', refresh_token: 'omen_rt_0' }])
  })

  it('is renewed once, however many want it', async () => {
    // Two processes do the same by the lock: login-processes.test.ts.
    const tokens = signedInTokens(stale, { now: clock.now, renew })
    expect(await Promise.all([tokens.current(), tokens.current(), tokens.renewed('omen_at_0')])).toEqual(
      Array(3).fill('omen_at_1'),
    )
    expect(await renew()).toMatchObject({ accessToken: 'omen_at_1' })
    expect(server.posted(TOKEN)).toHaveLength(1)
  })

  it('is asked for again when the answer may have got lost, and not for long', async () => {
    const broken = (response: import('node:http').ServerResponse) => void response.socket?.resetAndDestroy()
    server.answers.set(TOKEN, [broken, { status: 503 }, broken])
    await expect(renew()).rejects.toThrow(
      `${server.host}: the connection was closed: the sign-in could not be renewed: try again later`,
    )
    expect(server.posted(TOKEN).map(({ refresh_token }) => refresh_token)).toEqual(Array(3).fill('omen_rt_0'))
    expect(readSignIn(folder)).toEqual(stale)
    server.answers.delete(TOKEN)
    expect(await renew()).toMatchObject({ accessToken: 'omen_at_1' })
  })

  it('has to be begun again when the service says so', async () => {
    server.answers.set(TOKEN, [refusal('invalid_grant')])
    await expect(renew()).rejects.toThrow(`${server.host}: the sign-in has ended. Sign in again: omen login`)
  })

  it('is none any more when somebody has signed out, or in elsewhere', async () => {
    removeTokens(folder)
    expect(await renew()).toBeUndefined()
    await writeSignIn(folder, { ...stale, service: 'https://other.example.com' })
    expect(await renew()).toBeUndefined()
    expect(server.requests).toEqual([])
  })

  it('is not spent where what comes for it cannot be kept', async () => {
    const failure = await whileReadOnly(folder, () => renew().catch((error: Error) => error))
    expect(failure).toMatchObject({
      kind: 'Config',
      message: `${folder} cannot be written to, and tokens are kept there: make it writable, or set OMEN_CONFIG_DIR to a folder of your own`,
    })
    expect(server.requests).toEqual([])
  })
})

describe('a renewal aside', () => {
  it('gives what another process has kept', async () => {
    const start = async () => void (await renew())
    expect(await renewAside(stale, { folder, env: {}, start })).toMatchObject({ accessToken: 'omen_at_1' })
  })

  it('is not begun where nothing can be kept: the scan goes on without a token', async () => {
    const start = () => expect.fail('nothing is to be started')
    expect(await renewAside(stale, { folder: join(folder, 'absent'), env: {}, start })).toBeUndefined()
  })

  it('says where to look when that brought nothing', async () => {
    await expect(renewAside(stale, { folder, env: {}, start: async () => {} })).rejects.toThrow(
      `${server.host}: the sign-in could not be renewed: omen whoami says why`,
    )
  })

  it('is left alone by whoever does not wait any longer', async () => {
    const leaving = new AbortController()
    const tokens = signedInTokens(stale, {
      now: clock.now,
      renew: (from, signal) => renewAside(from, { folder, env: {}, signal, start: () => new Promise(() => {}) }),
    })
    const waiting = tokens.current(leaving.signal)
    expect(tokens.isRenewing).toBe(true)
    leaving.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})

it('tokens that end at once are not renewed for every request', async () => {
  server.answers.set(TOKEN, [{ status: 200, json: { ...tokenAnswer(1), expires_in: 0 } }])
  const tokens = signedInTokens(stale, { now: clock.now, renew })
  for (let request = 0; request < 3; request++) expect(await tokens.current()).toBe('omen_at_1')
  expect(server.posted(TOKEN)).toHaveLength(1)
})
