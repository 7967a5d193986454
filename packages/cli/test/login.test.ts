import { chmodSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccountServer, refusal, startAccountServer, tokenAnswer } from './account-service.js'
import { program, useFolder } from './omen.js'
import { clearConfiguration } from './release-service.js'
import { type Running, useProcesses } from './running.js'
import { eventually, openTerminal, shown, type Terminal } from './terminal.js'

const folder = useFolder()
const processes = useProcesses()
const TOKEN = '/v1/auth/token'

let server: AccountServer
let terminal: Terminal | undefined
beforeEach(async () => {
  server = await startAccountServer()
  clearConfiguration(folder.path('config'))
  folder.write('config/config.yaml', `service: {url: "${server.url}"}\n`)
})
afterEach(async () => {
  terminal?.close()
  terminal = undefined
  await server.close()
})

const omen = (...args: string[]): Running => processes.omen(args, { cwd: folder.path('.'), env: folder.environment() })
const kept = () => JSON.parse(readFileSync(folder.path('config/.ruletoken'), 'utf8')) as Record<string, string>

const state = () => JSON.parse(readFileSync(folder.path('config/updates.json'), 'utf8'))

/** Leaves a sign-in whose access token is over. */
function signedIn(): void {
  const tokens = { access_token: 'omen_at_0', refresh_token: 'omen_rt_0', expires_at: '2026-01-01T00:00:00.000Z' }
  folder.write('config/.ruletoken', `${JSON.stringify({ service: server.url, ...tokens })}\n`)
}

describe('tokens that are over', () => {
  beforeEach(signedIn)

  it('are renewed by one of two processes, and both go on with them', async () => {
    let answer: ServerResponse | undefined
    server.answers.set(TOKEN, [
      (response) => {
        answer = response
      },
      refusal('invalid_grant'),
    ])
    const both = [omen('whoami'), omen('whoami')]
    await Promise.race(both.map((run) => run.during(server.asked(TOKEN))))
    answer!.end(JSON.stringify(tokenAnswer(1)))
    for (const { ended } of both) expect(await ended).toMatchObject({ status: 0, err: '' })
    expect(server.posted(TOKEN)).toEqual([{ grant_type: 'refresh_token', refresh_token: 'omen_rt_0' }])
    expect(kept().refresh_token).toBe('omen_rt_1')
  })

  it('can be read and renewed after a process was killed in the middle of it', async () => {
    server.answers.set(TOKEN, [() => {}, { status: 200, json: tokenAnswer(1) }])
    const killed = omen('whoami')
    await killed.during(server.asked(TOKEN))
    killed.kill('SIGKILL')
    expect((await killed.ended).status).toBe('SIGKILL')
    expect(kept().refresh_token).toBe('omen_rt_0')
    expect(existsSync(folder.path('config/.ruletoken.lock'))).toBe(true)
    expect(await omen('whoami').ended).toMatchObject({ status: 0, err: '' })
    expect(kept().refresh_token).toBe('omen_rt_1')
    expect(existsSync(folder.path('config/.ruletoken.lock'))).toBe(false)
  })

  it('are renewed aside by a scan, which does not wait for it and loses nothing', async () => {
    let answer: ServerResponse | undefined
    server.answers.set(TOKEN, [
      (response) => {
        answer = response
      },
    ])
    folder.write('app.log', '2026-11-15T00:00:00Z nothing\n')
    const scan = omen('-q', '-o', '', 'app.log')
    // The service does not answer before the scan is over.
    expect(await scan.ended).toMatchObject({ status: 0, err: '' })
    await server.asked(TOKEN)
    expect(state()).toMatchObject({ renewing: true })
    const changed = new Promise<void>((resolve) => {
      const watcher = watch(folder.path('config'), () => {
        if (state().checked === undefined) return
        watcher.close()
        resolve()
      })
    })
    answer!.end(JSON.stringify(tokenAnswer(1)))
    await changed
    expect(kept().refresh_token).toBe('omen_rt_1')
    expect(state()).toMatchObject({ renewing: false, doubtful: false })
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [TOKEN, undefined],
      ['/v1/rules/latest', 'Bearer omen_at_1'],
    ])
  })
})

describe('omen login on a terminal', () => {
  /** Runs omen on a terminal on whose screen a browser can be opened, which notes what it is to show. */
  function open(columns = 100, more: Record<string, string> = {}): Terminal {
    const browser = folder.write('bin/xdg-open', `#!/bin/sh\necho "$1" > '${folder.path('opened')}'\n`)
    chmodSync(browser, 0o755)
    const PATH = `${dirname(browser)}:${process.env.PATH}`
    const env = { PATH, DISPLAY: ':9', OMEN_CONFIG_DIR: folder.path('config'), ...more }
    terminal = openTerminal([process.execPath, program, 'login'], { cwd: folder.path('.'), env, columns, rows: 40 })
    return terminal
  }

  it('shows a QR code, opens a browser for Enter alone, and is signed in when it was approved', async () => {
    server.answers.set(TOKEN, [refusal('authorization_pending')])
    const on = open()
    await shown(on, /^\S Waiting to be approved, 1\dm\d\ds left\. Press Enter to open it in your browser$/)
    const screen = on.lines()
    expect(screen[0]).toBe(`To sign in to ${server.host}, scan this, or open the address in any browser:`)
    expect(screen).toContain(`  ${server.url}/device`)
    expect(screen).toContain('  and enter the code  WDJB-MJHT')
    expect(screen.filter((line) => /^ {4}[█▀▄ ]{20,}/.test(line)).length).toBeGreaterThan(12)
    expect(existsSync(folder.path('opened'))).toBe(false)
    on.type('x', 'Enter')
    await shown(on, /Look at your browser/)
    await eventually(on, (lines) => expect(lines.slice(0, -1)).toEqual(screen.slice(0, -1)))
    // The browser is waited for by nobody else.
    const address = `${server.url}/device?user_code=WDJB-MJHT\n`
    await eventually(on, () => expect(readFileSync(folder.path('opened'), 'utf8')).toBe(address))
    server.answers.delete(TOKEN)
    expect(await on.ended()).toBe(0)
    expect(on.lines().at(-1)).toBe(`Signed in to ${server.host} as Ada Lovelace <ada@acme.com> (Acme).`)
    expect(on.lines().join('\n')).not.toContain('Waiting')
    expect(on.isCursorVisible).toBe(true)
  })

  it('does with less in a narrow window without colours, and ends with Ctrl-C', async () => {
    server.answers.set(TOKEN, [refusal('authorization_pending')])
    const on = open(60, { NO_COLOR: '1', DISPLAY: '' })
    await shown(on, /Waiting to be approved, \S+ left$/)
    expect(on.lines().join('\n')).not.toMatch(/[█▀▄]/)
    expect(on.lines()[0]).toContain(`To sign in to ${server.host}, open this address`)
    on.type('C-c')
    expect(await on.ended()).toBe(130)
    expect(on.lines().join('\n')).not.toContain('Waiting')
    expect(on.isCursorVisible).toBe(true)
    expect(existsSync(folder.path('config/.ruletoken'))).toBe(false)
  })
})

it('never shows a token, also in a log of everything', async () => {
  writeFileSync(folder.path('config/.ruletoken'), 'anonymous\n')
  const login = await omen('login', '-l', 'trace').ended
  const who = await omen('whoami', '-l', 'trace').ended
  const logout = await omen('logout', '-l', 'trace').ended
  for (const { status, out, err } of [login, who, logout]) {
    expect(status).toBe(0)
    expect(out + err).not.toMatch(/omen_[ar]t_|the-device-code/)
  }
})
