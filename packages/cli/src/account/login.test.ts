import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { useAccount } from '../../test/account-folder.js'
import { type AccountServer, oauthError } from '../../test/account-service.js'
import { openTestSession } from '../../test/updates-session.js'
import { createVirtualClock } from '../../test/virtual-clock.js'
import { type LoginCommand, login } from './login.js'
import { readSignIn, readTokens, tokenPath } from './token-file.js'

const [TOKEN, REVOKE] = ['/v1/auth/token', '/v1/auth/revoke']

const account = useAccount()
let server: AccountServer
let folder = ''
beforeEach(() => {
  server = account.server()
  folder = account.folder()
})
const { configure, signedIn } = account

const config = () => readFileSync(join(folder, 'config.yaml'), 'utf8')

/** Runs `omen login`; `answer` is the user's answer to every question. */
async function runLogin(
  command: Partial<LoginCommand> = {},
  {
    answer,
    isTerminal = false,
    interrupt = false,
    meanwhile = () => {},
  }: { answer?: boolean; isTerminal?: boolean; interrupt?: boolean; meanwhile?: () => void } = {},
) {
  const { session, written } = await openTestSession(folder, { isTerminal })
  const controller = new AbortController()
  const questions: string[] = []
  if (interrupt) server.responses.set(TOKEN, [() => controller.abort()])
  const listen = () => ({
    signal: controller.signal,
    get exitCode() {
      return controller.signal.aborted ? 130 : undefined
    },
    release() {},
  })
  const ask = (question: string) => {
    questions.push(question)
    meanwhile()
    return answer
  }
  const options = { service: undefined, acceptUpdates: false, quiet: false, json: false, ...command }
  const outcome = await login(options, session, listen, { clock: createVirtualClock(), ask }).catch(
    (error: Error) => error,
  )
  return { outcome, questions, ...written }
}

describe('omen login', () => {
  it('sends no request before it knows the service and has permission', async () => {
    expect((await runLogin()).outcome).toMatchObject({
      kind: 'Usage',
      message: 'no service is configured: give its address, for example omen login https://omen.example.com',
    })
    expect((await runLogin({ service: server.url })).outcome).toMatchObject({
      kind: 'Usage',
      message: `cannot ask without a terminal: "Use ${server.url} as your service?" Use -y to answer yes`,
    })
    const no = await runLogin({ service: server.url }, { isTerminal: true, answer: false })
    expect(no).toMatchObject({ outcome: 1, out: 'Nothing was changed.\n' })
    expect((await runLogin({ service: 'http://omen.example.com', acceptUpdates: true })).outcome).toMatchObject({
      kind: 'Usage',
      message: 'http://omen.example.com: tokens are sent only over https:// or to this machine: use https://',
    })
    expect(server.requests).toEqual([])
    expect(existsSync(join(folder, 'config.yaml'))).toBe(false)
  })

  it('signs in to the given service after a yes, and stores it', async () => {
    configure('https://old.example.com')
    server.responses.set(TOKEN, [oauthError('authorization_pending'), { status: 500 }, oauthError('slow_down')])
    server.responses
      .get(TOKEN)!
      .push({ status: 200, json: { access_token: 'omen_at_7', refresh_token: 'omen_rt_7', token_type: 'bearer' } })
    const { outcome, questions, out, err } = await runLogin(
      { service: `${server.url}/` },
      { isTerminal: true, answer: true },
    )
    expect({ outcome, err }).toEqual({ outcome: 0, err: '' })
    expect(questions).toEqual([`Use ${server.url} as your service instead of https://old.example.com?`])
    expect(config()).toBe(`# mine\nservice: {url: "${server.url}"}\n`)
    expect(readSignIn(folder)).toMatchObject({
      service: server.url,
      accessToken: 'omen_at_7',
      refreshToken: 'omen_rt_7',
    })
    expect(out).toContain(`Signed in to ${server.host} as Ada Lovelace <ada@acme.com> (Acme).\n`)
    expect(out).not.toMatch(/omen_|the-device-code/)
  })

  it('fails before the approval if the service cannot be stored', async () => {
    // Another program edits the file at that moment.
    const meanwhile = () => writeFileSync(join(folder, 'config.yaml'), 'skip: many\n')
    const { outcome } = await runLogin({ service: server.url }, { isTerminal: true, answer: true, meanwhile })
    expect(outcome).toMatchObject({ kind: 'Config', message: expect.stringContaining('skip must be a whole number') })
    expect(server.requests).toEqual([])
  })

  it('prints plain lines without a terminal', async () => {
    configure()
    expect((await runLogin()).out).toBe(
      `To sign in to ${server.host}, open ${server.url}/device and enter the code WDJB-MJHT\n` +
        `Or open ${server.url}/device?user_code=WDJB-MJHT and compare the code.\n` +
        'Waiting up to 15 minutes for approval.\n' +
        `Signed in to ${server.host} as Ada Lovelace <ada@acme.com> (Acme).\n`,
    )
  })

  it('prints with -q only what the user must do', async () => {
    configure()
    const { out } = await runLogin({ quiet: true }, { isTerminal: true })
    expect(out).toBe(`To sign in to ${server.host}, open ${server.url}/device and enter the code WDJB-MJHT\n`)
  })

  it('prints with --json one line for the code and one for the user', async () => {
    configure()
    const lines = (await runLogin({ json: true })).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      {
        verificationUri: `${server.url}/device`,
        verificationUriComplete: `${server.url}/device?user_code=WDJB-MJHT`,
        userCode: 'WDJB-MJHT',
        expires: '2026-11-15T12:15:00.000Z',
      },
      {
        signedIn: true,
        service: server.url,
        email: 'ada@acme.com',
        name: 'Ada Lovelace',
        org: { name: 'Acme', domain: 'acme.com' },
        until: '2026-12-15T12:00:00.000Z',
      },
    ])
  })

  it('signs in even if the service does not name the user, and shows escape sequences harmlessly', async () => {
    configure()
    server.responses.set('/v1/me', [
      { status: 500 },
      { status: 200, json: { ...{}, email: 'a\u001b[2J', name: 'b\nc', org: { name: 'd', domain: 'e' } } },
    ])
    expect((await runLogin()).out).toContain(`Signed in to ${server.host}.\n`)
    expect((await runLogin()).out).toContain(`Signed in to ${server.host} as b␊c <a␛[2J> (d).\n`)
  })

  it('ends with 130 after Ctrl-C, and stores nothing', async () => {
    configure()
    expect(await runLogin({}, { interrupt: true })).toMatchObject({ outcome: 130, err: '' })
    expect(readTokens(folder)).toBeUndefined()
  })

  it('revokes the sign-in that it replaces', async () => {
    configure()
    await signedIn()
    expect((await runLogin()).outcome).toBe(0)
    expect(server.posted(REVOKE)).toEqual([{ token: 'omen_rt_0' }])
    expect(readSignIn(folder)?.refreshToken).toBe('omen_rt_1')
  })

  it('does not replace a token of an operator without permission', async () => {
    configure()
    writeFileSync(tokenPath(folder), 'omen_issued\n')
    const no = await runLogin({}, { isTerminal: true, answer: false })
    expect(no.questions).toEqual(['Replace the token in .ruletoken that an operator issued? It cannot be restored.'])
    expect(readTokens(folder)).toEqual({ token: 'omen_issued' })
    expect((await runLogin({ acceptUpdates: true })).outcome).toBe(0)
    expect(readSignIn(folder)?.accessToken).toBe('omen_at_1')
  })

  it('revokes tokens that it cannot store', async () => {
    configure()
    server.responses.set(TOKEN, [
      (response) => {
        mkdirSync(tokenPath(folder))
        response.end(JSON.stringify({ access_token: 'omen_at_1', refresh_token: 'omen_rt_1', token_type: 'Bearer' }))
      },
    ])
    expect((await runLogin()).outcome).toMatchObject({ kind: 'Output' })
    expect(server.posted(REVOKE)).toEqual([{ token: 'omen_rt_1' }])
  })
})
