import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { begin, complete, exchange, GOOD_CLIENT } from './api.js'
import { useIdentityProvider } from './identity-provider.js'
import { untilOutput, useOmen } from './omen-server.js'

const idp = useIdentityProvider()
const omen = useOmen()

const inAMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

async function issue(dataDir: string): Promise<string> {
  const args = ['code', 'issue', '--org', 'Acme', '--expires', inAMonth(), '--data-dir', dataDir, '--json']
  return JSON.parse((await omen.run(args)).out).code
}

describe('starting', () => {
  test('prints its address and the first command, and keeps its data private', async () => {
    const before = inAMonth()
    const server = await omen.serve(['--data-dir', 'fresh'])
    const { port } = new URL(server.url)
    const welcome = (expires: string) => `omen-server listens on http://127.0.0.1:${port}
  Onboarding  http://localhost:${port}
  Sign-in     http://localhost:${port}
  App         http://localhost:${port}
  Database    embedded, in ${omen.path('fresh')}
To start, issue a code:
  omen-server code issue --data-dir ${omen.path('fresh')} --org "Acme" --expires ${expires}
`
    // Midnight may have passed since it was printed.
    const welcomes = [before, inAMonth()].map(welcome)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect((statSync(omen.path('fresh')).mode & 0o777).toString(8)).toBe('700')
    expect((statSync(omen.path('fresh/admin.sock')).mode & 0o777).toString(8)).toBe('600')
    expect((statSync(omen.path('fresh/keys.json')).mode & 0o777).toString(8)).toBe('600')
    const { status, out, err } = await server.stop()
    expect(status).toBe(0)
    expect(welcomes.map((text) => `${text}omen-server has stopped\n`)).toContain(out)
    expect(err).not.toContain('WARNING')
    expect(() => statSync(omen.path('fresh/admin.sock'))).toThrow('ENOENT')
  })

  test('a conspicuous warning is printed for insecure identity providers', async () => {
    const server = await omen.serve(['--data-dir', 'fresh', '--allow-insecure-idp'])
    expect((await server.stop()).err).toContain('WARNING: --allow-insecure-idp is on.')
  })

  test('all invalid settings are reported together, and nothing is created', async () => {
    const outcome = await omen.run(['--port', 'http', '--base-url', 'omen', '--data-dir', 'never'])
    expect(outcome).toEqual({
      status: 2,
      out: '',
      err: `\
Config error: --port: "http" is not a port: write a whole number from 0 to 65535
Config error: --base-url: "omen" is not a URL: write it as https://omen.example.com
`,
    })
    expect(() => statSync(omen.path('never'))).toThrow('ENOENT')
  })

  test('a port that is in use is reported', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const { status, err } = await omen.run(['--port', String(port), '--data-dir', 'fresh'])
    other.close()
    expect(status).toBe(1)
    expect(err).toBe(
      `Start error: another program listens on port ${port} of 127.0.0.1: stop it, or choose another port with --port\n`,
    )
  })

  test('an address of another machine is reported', async () => {
    const { status, err } = await omen.run(['--host', '192.0.2.1', '--port', '0', '--data-dir', 'fresh'])
    expect(status).toBe(1)
    expect(err).toBe(
      'Start error: 192.0.2.1 is not an address of this machine: choose one with --host, such as 0.0.0.0 for all\n',
    )
  })

  test('a data directory that cannot be used is reported', async () => {
    writeFileSync(omen.path('file'), '')
    for (const dataDir of ['file', 'file/below', '/proc/nothing/here']) {
      const { status, err } = await omen.run(['--port', '0', '--data-dir', dataDir])
      expect(status).toBe(1)
      expect(err).toMatch(/^Start error: \/.*: choose the data directory with --data-dir\n$/)
    }
  })

  test('a warning is printed for a data directory that every user may write to', async () => {
    chmodSync(omen.path('fresh'), 0o777)
    const server = await omen.serve(['--data-dir', 'fresh'])
    expect((statSync(omen.path('fresh/admin.sock')).mode & 0o777).toString(8)).toBe('600')
    const { err } = await server.stop()
    expect(err).toContain(`Warning: every user may write to ${omen.path('fresh')}, and so replace its keys`)
    chmodSync(omen.path('fresh'), 0o700)
  })

  test('a second service on the same data directory does not start, whatever the first one left there', async () => {
    const first = await omen.serve(['--data-dir', 'fresh'])
    const { status, err } = await omen.run(['--port', '0', '--data-dir', 'fresh'])
    expect(status).toBe(1)
    expect(err).toBe(`Start error: ${omen.path('fresh')}: another omen-server uses this data directory
Stop it first, choose another with --data-dir, or run several on one PostgreSQL with DATABASE_URL.
`)
    await first.kill()
    const second = await omen.serve(['--data-dir', 'fresh'])
    expect((await omen.run(['code', 'list', '--json', '--data-dir', 'fresh'])).status).toBe(0)
    await second.stop()
  })

  test('the service waits for a database that is not available, until a signal stops it', async () => {
    const DATABASE_URL = 'postgres://omen:SECRET@127.0.0.1:1/omen'
    const started = omen.begin(['--port', '0', '--data-dir', 'away'], { env: { DATABASE_URL } })
    const reported = 'The database at postgres://127.0.0.1:1/omen is not available'
    await untilOutput(started, (written) => written.err.split(reported).length > 2)
    started.process.kill('SIGTERM')
    const { status, out, err } = await started.ended
    expect({ status, out }).toEqual({ status: 0, out: '' })
    expect(err).toContain(`${reported} (connect ECONNREFUSED 127.0.0.1:1). Trying again in 0.25 s.\n`)
    expect(err).not.toContain('SECRET')
  })

  test('a command does not wait for a database that is not available', async () => {
    const env = { DATABASE_URL: 'postgres://omen:SECRET@127.0.0.1:1/omen' }
    const { status, err } = await omen.run(['code', 'list', '--data-dir', 'away'], { env })
    expect(status).toBe(1)
    expect(err).toContain(
      'Operator error: The database is not available at the moment. Nothing was changed. Try again soon. (connect ECONNREFUSED',
    )
    expect(err).not.toContain('SECRET')
  })

  test('settings are read from a file, and config shows them without secrets', async () => {
    writeFileSync(omen.path('omen.yaml'), 'port: 0\ndataDir: fresh\nappUrl: https://app.example.com\n')
    const started = await omen.serve(['--config', 'omen.yaml'])
    expect((await started.stop()).out).toContain('  App         https://app.example.com\n')
    const env = { DATABASE_URL: 'postgres://omen:SECRET@db/omen', OMEN_SIGNING_KEY: 'SECRET' }
    const { out } = await omen.run(['config', '--config', 'omen.yaml'], { env })
    expect(out).toMatch(/^appUrl +https:\/\/app\.example\.com +.*omen\.yaml:3$/m)
    expect(out).toMatch(/^databaseUrl +hidden +DATABASE_URL$/m)
    expect(out).not.toContain('SECRET')
  })

  test('systemd is notified when the service is ready', async () => {
    mkdirSync(omen.path('bin'))
    writeFileSync(
      omen.path('bin/systemd-notify'),
      `#!/bin/sh\necho "$1" > ${omen.path('notification')} && mv ${omen.path('notification')} ${omen.path('notified')}\n`,
      {
        mode: 0o755,
      },
    )
    const env = { NOTIFY_SOCKET: '/run/none', PATH: `${omen.path('bin')}:${process.env.PATH}` }
    const server = await omen.serve(['--data-dir', 'fresh'], { env })
    // Another program sends the notification; the service does not wait for it.
    while (!existsSync(omen.path('notified'))) await fetch(`${server.url}/healthz`)
    expect(readFileSync(omen.path('notified'), 'utf8')).toMatch(/^READY=1/)
    await server.stop()
  })
})

/** A connection that stays open after its first response. */
async function openIdleConnection(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const responded = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      received += data
      if (received.includes('"ok"')) resolve()
    })
  })
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await responded
  return { ended, received: () => received }
}

describe('stopping', () => {
  /** A service with a completion in flight; its identity provider waits for `release` before it responds. */
  async function withCallInFlight() {
    const dataDir = 'fresh'
    const server = await omen.serve(['--data-dir', dataDir, '--allow-insecure-idp'])
    const code = await issue(dataDir)
    const connection = { well_known_url: idp.wellKnownUrl(), domain: 'acme.com', org_name: 'Acme' }
    const { token, id } = await begin(server.url, code, connection)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const reached = new Promise<void>((resolve) => {
      idp.before(async (path) => {
        if (!path.startsWith('/token')) return
        resolve()
        await held
      })
    })
    const response = complete(server.url, token, id, GOOD_CLIENT)
    // A request that is cut off may reject before the test awaits it.
    response.catch(() => undefined)
    await reached
    return { server, code, response, release }
  }

  test('requests in flight finish and close their connection, idle connections are closed, new ones are not accepted', async () => {
    const { server, response, release } = await withCallInFlight()
    const idle = await openIdleConnection(server.url)
    const ended = server.stop()
    await server.untilOutput(({ err }) => err.includes('"msg":"stopping"'))
    // An idle connection does not delay the stop, and gets no error.
    await idle.ended
    expect(idle.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    release()
    expect(await response).toMatchObject({ status: 200, body: { status: 'completed' } })
    expect((await response).headers.get('connection')).toBe('close')
    expect((await ended).status).toBe(0)
    idp.before(undefined)
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('a second %s exits at once', async (signal, status) => {
    const { server, response, release } = await withCallInFlight()
    const ended = server.stop()
    await server.untilOutput(({ err }) => err.includes('"msg":"stopping"'))
    server.process.kill(signal)
    expect((await ended).status).toBe(status)
    await expect(response).rejects.toThrow()
    release()
    idp.before(undefined)
  })

  test('a request that was cut off by a crash has changed nothing, and can be repeated', async () => {
    const { server, code, response, release } = await withCallInFlight()
    await server.kill()
    await expect(response).rejects.toThrow()
    release()
    idp.before(undefined)
    const again = await omen.serve(['--data-dir', 'fresh', '--allow-insecure-idp'])
    expect((await exchange(again.url, code)).status).toBe(200)
    await again.stop()
  })
})
