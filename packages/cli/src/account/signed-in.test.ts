import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { useAccount } from '../../test/account-folder.js'
import { type AccountServer, startAccountServer } from '../../test/account-service.js'
import { whileReadOnly } from '../../test/read-only-folder.js'
import { openTestSession } from '../../test/updates-session.js'
import { type Lock, takeLock } from '../file-lock.js'
import { check } from '../updates/check.js'
import { type AccountClock, CLOCK } from './account-clock.js'
import { logout } from './logout.js'
import { readTokens, tokenPath } from './token-file.js'
import { whoami } from './whoami.js'

const [DEVICE, TOKEN, REVOKE, LATEST] = ['/v1/auth/device', '/v1/auth/token', '/v1/auth/revoke', '/v1/rules/latest']

const account = useAccount()
let server: AccountServer
let folder = ''
beforeEach(() => {
  server = account.server()
  folder = account.folder()
})
const { configure, signedIn } = account

describe('omen whoami', () => {
  async function run(command = { quiet: false, json: false }) {
    const { session, written } = await openTestSession(folder)
    const outcome = await whoami(command, session).catch((error: Error) => error)
    return { outcome, ...written }
  }

  it('shows the user, the service and the end of the session', async () => {
    configure()
    await signedIn()
    const { outcome, out, err } = await run()
    expect({ outcome, err }).toEqual({ outcome: 0, err: '' })
    expect(out.split('\n')).toEqual([
      'E-mail        ada@acme.com',
      'Name          Ada Lovelace',
      'Organization  Acme (acme.com)',
      `Service       ${server.url}`,
      expect.stringMatching(/^Until {9}2026-12-1[45]T\d\d:\d\d:00/),
      '',
    ])
  })

  it('says what to do when no user is signed in', async () => {
    expect(await run()).toEqual({
      outcome: 1,
      out: '',
      err: 'You are not signed in. Sign in: omen login <service url>\n',
    })
    configure()
    expect(await run()).toEqual({ outcome: 1, out: '', err: 'You are not signed in. Sign in: omen login\n' })
    writeFileSync(tokenPath(folder), 'omen_issued\n')
    expect((await run()).err).toContain('was issued by an operator, not to a user. Sign in: omen login\n')
    const { out } = await run({ quiet: true, json: true })
    expect(JSON.parse(out)).toMatchObject({ signedIn: false, service: server.url, email: null, until: null })
    expect(server.requests).toEqual([])
  })

  it('sends requests only to the service of the sign-in', async () => {
    const other = await startAccountServer()
    configure(other.url)
    await signedIn()
    expect((await run()).out).toContain(`${server.url} (service.url is ${other.url})`)
    expect(other.requests).toEqual([])
    await other.close()
  })

  it('renews a refused token once', async () => {
    configure()
    await signedIn()
    server.responses.set('/v1/me', [{ status: 401, json: {} }])
    const { outcome } = await run()
    expect(outcome).toMatchObject({ message: `${server.host}: the sign-in has ended. Sign in again: omen login` })
    expect(server.posted(TOKEN)).toHaveLength(1)
  })
})

describe('omen logout', () => {
  async function run() {
    const { session, written } = await openTestSession(folder)
    const outcome = await logout({ quiet: false }, session).catch((error: Error) => error)
    return { outcome, ...written }
  }

  it('revokes the tokens and removes them', async () => {
    await signedIn()
    writeFileSync(join(folder, '..ruletoken.k1a2b3.tmp'), 'omen_at_left')
    expect(await run()).toEqual({ outcome: 0, out: `Signed out of ${server.host}.\n`, err: '' })
    expect(server.posted(REVOKE)).toEqual([{ token: 'omen_rt_0' }])
    expect(readdirSync(folder)).toEqual([])
    expect(await run()).toEqual({ outcome: 0, out: 'You are not signed in.\n', err: '' })
  })

  it('removes the tokens even if the service fails, and says so', async () => {
    await signedIn()
    server.responses.set(REVOKE, [{ status: 503 }])
    expect((await run()).outcome).toMatchObject({
      kind: 'Network',
      message: `${server.host}: HTTP 503: try again later. The tokens were removed from this machine; end the session at ${server.url}/sessions`,
    })
    expect(existsSync(tokenPath(folder))).toBe(false)
  })

  it('revokes the tokens even if the file is read-only, and says so', async () => {
    await signedIn()
    const { outcome } = await whileReadOnly(folder, run)
    expect(outcome).toMatchObject({
      kind: 'Config',
      message: `${tokenPath(folder)} is read-only: remove it at its source. The session at ${server.host} has ended`,
    })
    expect(server.posted(REVOKE)).toEqual([{ token: 'omen_rt_0' }])
    server.responses.set(REVOKE, [{ status: 503 }])
    expect((await whileReadOnly(folder, run)).outcome).toMatchObject({
      kind: 'Network',
      message: `${server.host}: HTTP 503: try again later. ${tokenPath(folder)} is read-only: remove it at its source, and end the session at ${server.url}/sessions`,
    })
  })

  it('does not remove a token that is written while it waits for the lock', async () => {
    await signedIn()
    const { session } = await openTestSession(folder)
    const lock = takeLock(`${tokenPath(folder)}.lock`) as Lock
    const clock: AccountClock = {
      ...CLOCK,
      async pause() {
        writeFileSync(tokenPath(folder), 'omen_issued\n')
        lock.release()
      },
    }
    expect(await logout({ quiet: true }, session, clock)).toBe(0)
    expect(readTokens(folder)).toEqual({ token: 'omen_issued' })
    expect(server.requests).toEqual([])
  })

  it('does not remove a token of an operator', async () => {
    writeFileSync(tokenPath(folder), 'omen_issued\n')
    expect((await run()).outcome).toMatchObject({ kind: 'Usage' })
    expect(readTokens(folder)).toEqual({ token: 'omen_issued' })
    expect(server.requests).toEqual([])
  })
})

describe('omen updates check', () => {
  async function run() {
    const { session, written } = await openTestSession(folder)
    return { code: await check({ json: true }, session), ...written }
  }
  const sent = () => server.requests.filter(({ path }) => path === LATEST).map(({ headers }) => headers.authorization)

  it('sends the token of the sign-in, renewed if it has expired', async () => {
    configure()
    await signedIn({ expiresAt: 0 })
    expect(await run()).toMatchObject({ code: 0, err: '' })
    expect(sent()).toEqual(['Bearer omen_at_1'])
  })

  it('renews a refused token once', async () => {
    configure()
    await signedIn()
    server.responses.set(LATEST, [{ status: 401 }, { status: 200, json: {} }])
    expect(await run()).toMatchObject({ code: 0, err: '' })
    expect(sent()).toEqual(['Bearer omen_at_0', 'Bearer omen_at_1'])
    server.responses.set(LATEST, [{ status: 401 }])
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('HTTP 401: the token in .ruletoken') })
    expect(sent()).toHaveLength(4)
  })

  it('sends the token to no other service', async () => {
    configure()
    await signedIn({ service: 'https://other.example.com' })
    expect(await run()).toMatchObject({ code: 0, err: '' })
    expect(sent()).toEqual([undefined])
    expect(server.requests.map(({ path }) => path)).not.toContain(DEVICE)
  })
})
