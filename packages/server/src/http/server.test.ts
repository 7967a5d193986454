import { beforeAll, describe, expect, test } from 'vitest'
import { BEARER, CONNECTION, startApp, TOKEN, useApp } from '../../test/http/app-under-test.js'
import { listen, openConnection } from '../../test/http/raw-connection.js'

const HOST = 'Host: localhost:8080\r\n'
const AUTHORIZATION = `Authorization: ${BEARER.authorization}\r\n`

async function start(overrides: Parameters<typeof startApp>[0] = {}) {
  const started = await startApp(overrides)
  const port = await listen(started.app)
  return { ...started, open: () => openConnection(port) }
}

/** One server for all tests of a group. */
function useServer() {
  const app = useApp()
  let port = 0
  beforeAll(async () => {
    port = await listen(app().app)
  })
  return () => ({ ...app(), open: () => openConnection(port) })
}

/** The body of the last response in what was received. */
function lastBody(received: string): { readonly code: string; readonly status: number; readonly detail: string } {
  return JSON.parse(received.slice(received.lastIndexOf('\r\n\r\n') + 4))
}

describe('bodies on the wire', () => {
  const server = useServer()
  const body = JSON.stringify(CONNECTION)

  test('may be chunked, without a length and without a type', async () => {
    const { open, calls } = server()
    const { socket, until } = open()
    socket.write(`POST /v1/api/oauth HTTP/1.1\r\n${HOST}${AUTHORIZATION}Transfer-Encoding: chunked\r\n\r\n`)
    for (const byte of body) socket.write(`1\r\n${byte}\r\n`)
    socket.write('0\r\n\r\n')
    expect(await until('transaction_id')).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(calls[0]![2]).toEqual(CONNECTION)
  })

  test.each([
    ['of 65 KiB', 66_560],
    ['of 900 KiB', 900 * 1024],
  ])('%s are rejected, and a client that is still sending reads the response', async (_, size) => {
    const { open } = server()
    const { socket, end } = open()
    socket.write(`POST /v1/api/oauth HTTP/1.1\r\n${HOST}${AUTHORIZATION}Content-Length: ${size}\r\n\r\n`)
    socket.end('x'.repeat(size))
    const received = await end()
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    expect(lastBody(received).code).toBe('body_too_large')
  })

  test('that never end are cut off', async () => {
    const { open } = server()
    const { socket, end } = open()
    socket.write(`POST /v1/api/oauth HTTP/1.1\r\n${HOST}${AUTHORIZATION}Transfer-Encoding: chunked\r\n\r\n`)
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const feed = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', feed)
    feed()
    await end()
  })

  test('that are announced with Expect are rejected before they are sent', async () => {
    const { open } = server()
    const { socket, end } = open()
    socket.write(
      `POST /v1/api/oauth HTTP/1.1\r\n${HOST}${AUTHORIZATION}Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n`,
    )
    const received = await end()
    expect(received).toMatch(/^HTTP\/1\.1 413 /)
    expect(received).not.toContain('100 Continue')
  })

  test('that are announced with Expect and are small are accepted', async () => {
    const { open } = server()
    const { socket, until } = open()
    socket.write(
      `POST /v1/api/oauth HTTP/1.1\r\n${HOST}${AUTHORIZATION}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    await until('100 Continue')
    socket.write(body)
    await until('transaction_id')
  })

  test('that end too early leave no request pending', async () => {
    const { open, calls, logged } = server()
    const { socket, end } = open()
    socket.write(`POST /v1/api/oauth HTTP/1.1\r\n${HOST}${AUTHORIZATION}Content-Length: 100\r\n\r\n{`)
    socket.end()
    await end()
    expect(calls).toEqual([])
    expect(logged()).not.toContain('"level":"error"')
  })
})

describe('malformed requests', () => {
  const server = useServer()
  test.each([
    ['not HTTP', 'hello\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`, 400],
    ['a space before the colon', `GET / HTTP/1.1\r\n${HOST}Content-Length : 5\r\n\r\n`, 400],
    ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`, 400],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['headers too large', `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
  ])('%s: a problem, and the connection is closed', async (_, bytes, status) => {
    const { open } = server()
    const { socket, end } = open()
    socket.write(bytes, 'latin1')
    const received = await end()
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(received.toLowerCase()).toContain('\r\ncontent-type: application/problem+json\r\n')
    expect(received.toLowerCase()).toContain('\r\nx-content-type-options: nosniff\r\n')
    expect(lastBody(received)).toMatchObject({ code: 'bad_request', status })
  })

  test('other expectations are ignored', async () => {
    const { open } = server()
    const { socket, end } = open()
    socket.write(`GET /healthz HTTP/1.1\r\n${HOST}Expect: cake\r\nConnection: close\r\n\r\n`)
    expect(await end()).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('HTTP/1.0 without a Host is accepted', async () => {
    const { open } = server()
    const { socket, end } = open()
    socket.write('GET /healthz HTTP/1.0\r\n\r\n')
    expect(await end()).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each(['/..', '/%2e%2e/%2e%2e/etc/passwd', '/../../etc/passwd', '/v1/api/oauth/../../..'])(
    '%s does not leave the served paths',
    async (address) => {
      const { open } = server()
      const { socket, end } = open()
      socket.write(`GET ${address} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
      expect(await end()).toMatch(/^HTTP\/1\.1 404 /)
    },
  )

  test('an absolute address and * are accepted', async () => {
    const { open } = server()
    const { socket, end } = open()
    socket.write(`GET http://localhost:8080/healthz HTTP/1.1\r\n${HOST}\r\n`)
    socket.write(`OPTIONS * HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    expect(await end()).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 204 /)
  })

  test('several Authorization headers are rejected, even if one is valid', async () => {
    const { open, calls } = server()
    const { socket, end } = open()
    socket.write(
      `POST /v1/api/oauth HTTP/1.1\r\n${HOST}${AUTHORIZATION}authorization: Bearer x\r\nConnection: close\r\n\r\n`,
    )
    const received = await end()
    expect(received).toMatch(/^HTTP\/1\.1 401 /)
    expect(lastBody(received).detail).toContain('2 Authorization headers')
    expect(received).not.toContain(TOKEN)
    expect(calls).toEqual([])
  })
})

describe('one connection', () => {
  const server = useServer()
  test('responds to pipelined requests in their order', async () => {
    const { open } = server()
    const { socket, end } = open()
    const get = (address: string, more = '') => `GET ${address} HTTP/1.1\r\n${HOST}${more}\r\n`
    socket.write(
      get('/readyz') + get('/nope') + get('/v1/auth/validate?code=x') + get('/healthz', 'Connection: close\r\n'),
    )
    const statuses = [...(await end()).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
    expect(statuses).toEqual(['200', '404', '200', '200'])
  })

  test('responds to a valid request before the malformed one after it', async () => {
    let release = () => {}
    const access = new Promise<void>((resolve) => {
      release = resolve
    })
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { open } = await start({
      onboarding: {
        exchangeCode: async () => {
          arrived()
          await access
          return { token: 'late' }
        },
      },
    })
    const { socket, end } = open()
    socket.write(`GET /v1/auth/validate?code=x HTTP/1.1\r\n${HOST}\r\nnonsense\r\n\r\n`)
    await arrival
    release()
    expect(await end()).toMatch(/^HTTP\/1\.1 200 [\s\S]*"late"[\s\S]*HTTP\/1\.1 400 /)
  })

  test('stays open after a body that the route does not read', async () => {
    const { open } = server()
    const { socket, until } = open()
    socket.write(`POST /nope HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`)
    await until('not_found')
    socket.write(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
    await until('"ok"')
  })
})

describe('slow clients', () => {
  const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 }

  test('that never finish their headers get a problem and are cut off', async () => {
    const { open } = await start({ limits })
    const { socket, end } = open()
    socket.write(`GET /healthz HTTP/1.1\r\n${HOST}X-Slow: `)
    const received = await end()
    expect(received).toMatch(/^HTTP\/1\.1 408 /)
    expect(lastBody(received)).toMatchObject({ code: 'bad_request', status: 408 })
  })

  test('that never finish their body get a problem and are cut off', async () => {
    const { open, calls } = await start({ limits })
    const { socket, end } = open()
    socket.write(`POST /v1/api/oauth HTTP/1.1\r\n${HOST}${AUTHORIZATION}Content-Length: 100\r\n\r\n{`)
    expect(await end()).toMatch(/^HTTP\/1\.1 408 /)
    expect(calls).toEqual([])
  })

  test('that disconnect before the response are logged as such, and no request stays in flight', async () => {
    let arrived = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let release = () => {}
    const access = new Promise<void>((resolve) => {
      release = resolve
    })
    const { open, send, logged, app } = await start({
      onboarding: {
        exchangeCode: async () => {
          arrived()
          await access
          return { token: 'late' }
        },
      },
    })
    const closed = new Promise((resolve) => {
      app.server.once('connection', (socket) => socket.once('close', resolve))
    })
    const { socket } = open()
    socket.write(`GET /v1/auth/validate?code=x HTTP/1.1\r\n${HOST}\r\n`)
    await arrival
    socket.destroy()
    await closed
    release()
    const metrics = await send({ url: '/metrics' })
    expect(metrics.body).toContain('omen_http_requests_in_flight 1')
    expect(logged()).toContain('request aborted by the client')
    expect(logged()).not.toContain('"level":"error"')
  })
})
