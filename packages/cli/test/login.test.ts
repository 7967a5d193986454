import { chmodSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccountServer, oauthError, startAccountServer, tokenResponse } from './account-service.js'
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
const stored = () => JSON.parse(readFileSync(folder.path('config/.ruletoken'), 'utf8')) as Record<string, string>

const state = () => JSON.parse(readFileSync(folder.path('config/updates.json'), 'utf8'))

/** Stores a sign-in whose access token has expired. */
function signedIn(): void {
  const tokens = { access_token: 'omen_at_0', refresh_token: 'omen_rt_0', expires_at: '2026-01-01T00:00:00.000Z' }
  folder.write('config/.ruletoken', `${JSON.stringify({ service: server.url, ...tokens })}\n`)
}

describe('expired tokens', () => {
  beforeEach(signedIn)

  it('are renewed by one of two processes, and used by both', async () => {
    let pending: ServerResponse | undefined
    server.responses.set(TOKEN, [
      (response) => {
        pending = response
      },
      oauthError('invalid_grant'),
    ])
    const both = [omen('whoami'), omen('whoami')]
    await Promise.race(both.map((run) => run.during(server.requested(TOKEN))))
    pending!.end(JSON.stringify(tokenResponse(1)))
    for (const { ended } of both) expect(await ended).toMatchObject({ status: 0, err: '' })
    expect(server.posted(TOKEN)).toEqual([{ grant_type: 'refresh_token', refresh_token: 'omen_rt_0' }])
    expect(stored().refresh_token).toBe('omen_rt_1')
  })

  it('can be renewed after a process was killed while it renewed them', async () => {
    server.responses.set(TOKEN, [() => {}, { status: 200, json: tokenResponse(1) }])
    const killed = omen('whoami')
    await killed.during(server.requested(TOKEN))
    killed.kill('SIGKILL')
    expect((await killed.ended).status).toBe('SIGKILL')
    expect(stored().refresh_token).toBe('omen_rt_0')
    expect(existsSync(folder.path('config/.ruletoken.lock'))).toBe(true)
    expect(await omen('whoami').ended).toMatchObject({ status: 0, err: '' })
    expect(stored().refresh_token).toBe('omen_rt_1')
    expect(existsSync(folder.path('config/.ruletoken.lock'))).toBe(false)
  })

  it('are renewed in the background of a scan, which does not wait', async () => {
    let pending: ServerResponse | undefined
    server.responses.set(TOKEN, [
      (response) => {
        pending = response
      },
    ])
    folder.write('app.log', '2026-11-15T00:00:00Z nothing\n')
    const scan = omen('-q', '-o', '', 'app.log')
    // The service does not respond before the scan has ended.
    expect(await scan.ended).toMatchObject({ status: 0, err: '' })
    await server.requested(TOKEN)
    expect(state()).toMatchObject({ renewing: true })
    const changed = new Promise<void>((resolve) => {
      const watcher = watch(folder.path('config'), () => {
        if (state().checked === undefined) return
        watcher.close()
        resolve()
      })
    })
    pending!.end(JSON.stringify(tokenResponse(1)))
    await changed
    expect(stored().refresh_token).toBe('omen_rt_1')
    expect(state()).toMatchObject({ renewing: false, outdated: false })
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [TOKEN, undefined],
      ['/v1/rules/latest', 'Bearer omen_at_1'],
    ])
  })
})

describe('omen login on a terminal', () => {
  /** Runs omen on a terminal with a browser that writes the address to a file. */
  function open(columns = 100, more: Record<string, string> = {}): Terminal {
    const browser = folder.write('bin/xdg-open', `#!/bin/sh\necho "$1" > '${folder.path('opened')}'\n`)
    chmodSync(browser, 0o755)
    const PATH = `${dirname(browser)}:${process.env.PATH}`
    const env = { PATH, DISPLAY: ':9', OMEN_CONFIG_DIR: folder.path('config'), ...more }
    terminal = openTerminal([process.execPath, program, 'login'], { cwd: folder.path('.'), env, columns, rows: 40 })
    return terminal
  }

  it('shows a QR code, opens a browser only after Enter, and signs in after the approval', async () => {
    server.responses.set(TOKEN, [oauthError('authorization_pending')])
    const on = open()
    await shown(on, /^\S Waiting for approval, 1\dm\d\ds left\. Press Enter to open it in your browser$/)
    const screen = on.lines()
    expect(screen[0]).toBe(`To sign in to ${server.host}, scan this, or open the address in any browser:`)
    expect(screen).toContain(`  ${server.url}/device`)
    expect(screen).toContain('  and enter the code  WDJB-MJHT')
    expect(screen.filter((line) => /^ {4}[█▀▄ ]{20,}/.test(line)).length).toBeGreaterThan(12)
    expect(existsSync(folder.path('opened'))).toBe(false)
    on.type('x', 'Enter')
    await shown(on, /Continue in your browser/)
    await eventually(on, (lines) => expect(lines.slice(0, -1)).toEqual(screen.slice(0, -1)))
    // omen does not wait for the browser.
    const address = `${server.url}/device?user_code=WDJB-MJHT\n`
    await eventually(on, () => expect(readFileSync(folder.path('opened'), 'utf8')).toBe(address))
    server.responses.delete(TOKEN)
    expect(await on.ended()).toBe(0)
    expect(on.lines().at(-1)).toBe(`Signed in to ${server.host} as Ada Lovelace <ada@acme.com> (Acme).`)
    expect(on.lines().join('\n')).not.toContain('Waiting')
    expect(on.isCursorVisible).toBe(true)
  })

  it('shows no QR code in a narrow window without colours, and ends with Ctrl-C', async () => {
    server.responses.set(TOKEN, [oauthError('authorization_pending')])
    const on = open(60, { NO_COLOR: '1', DISPLAY: '' })
    await shown(on, /Waiting for approval, \S+ left$/)
    expect(on.lines().join('\n')).not.toMatch(/[█▀▄]/)
    expect(on.lines()[0]).toContain(`To sign in to ${server.host}, open this address`)
    on.type('C-c')
    expect(await on.ended()).toBe(130)
    expect(on.lines().join('\n')).not.toContain('Waiting')
    expect(on.isCursorVisible).toBe(true)
    expect(existsSync(folder.path('config/.ruletoken'))).toBe(false)
  })
})

it('never prints a token, not even in the log of level trace', async () => {
  writeFileSync(folder.path('config/.ruletoken'), 'anonymous\n')
  const login = await omen('login', '-l', 'trace').ended
  const whoami = await omen('whoami', '-l', 'trace').ended
  const logout = await omen('logout', '-l', 'trace').ended
  for (const { status, out, err } of [login, whoami, logout]) {
    expect(status).toBe(0)
    expect(out + err).not.toMatch(/omen_[ar]t_|the-device-code/)
  }
})
