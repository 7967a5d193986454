import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { selfSigned } from '../../../../test/certificate.js'
import { listen, startReceiver } from '../../../../test/receiver.js'
import type { Failure } from '../../../failure.js'
import { notify } from '../notify.js'

type Environment = Readonly<Record<string, string | undefined>>

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** A proxy that records its requests, and connects every tunnel to one port or refuses it. */
async function startProxy(reply: { readonly tunnelTo: number } | { readonly refuse: number } | undefined) {
  const requests: { readonly target: string; readonly authorization: string | undefined }[] = []
  const note = ({ method, url, headers }: IncomingMessage) =>
    requests.push({ target: `${method} ${url}`, authorization: headers['proxy-authorization'] })
  const server = createHttpServer((request, response) => {
    note(request)
    response.writeHead(reply && 'refuse' in reply ? reply.refuse : 200).end('ok')
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request)
    if (reply === undefined || 'refuse' in reply) {
      socket.end(`HTTP/1.1 ${reply?.refuse ?? 403} No\r\n\r\n`)
      return
    }
    const tunnel = connect(reply.tunnelTo, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    tunnel.on('error', () => socket.destroy())
    socket.on('error', () => tunnel.destroy()).on('close', () => tunnel.destroy())
  })
  const started = await listen(server)
  open.push(started)
  return { requests, address: `127.0.0.1:${started.port}` }
}

/** A webhook over TLS, with an untrusted certificate. */
async function startSecureReceiver() {
  const bodies: string[] = []
  const names: unknown[] = []
  const server = createHttpsServer(selfSigned('hooks.example.test'), (request, response) => {
    names.push((request.socket as TLSSocket & { readonly servername?: unknown }).servername)
    request.setEncoding('utf8').on('data', (part: string) => bodies.push(part))
    request.on('end', () => response.end('ok'))
  })
  const started = await listen(server)
  open.push(started)
  return { bodies, names, port: started.port }
}

async function notifyBy(env: Environment, webhook: string) {
  let waits = 0
  const problems = [{ id: 'CRE-2026-0001', severity: 'critical', hits: 1, first: '2026-03-01T12:00:00Z' }]
  const sleep = async () => void waits++
  // Enough for an attempt on a slow machine.
  const tools = { env, log: { debug: () => {} }, random: () => 0, sleep, deadline: 600_000 }
  const error = await notify({ type: 'slack', webhook }, { prefix: '', host: 'web-1', problems }, tools).then(
    () => undefined,
    (reason: unknown) => reason as Failure,
  )
  return { message: error?.message, waits }
}

describe('a proxy in the environment', () => {
  test('gets http:// requests with their full address', async () => {
    const proxy = await startProxy(undefined)
    const { message } = await notifyBy({ http_proxy: `http://${proxy.address}` }, 'http://hooks.example.test/a?b=c')
    expect(message).toBeUndefined()
    expect(proxy.requests).toEqual([{ target: 'POST http://hooks.example.test/a?b=c', authorization: undefined }])
  })

  test('tunnels https:// requests, with user name and password', async () => {
    const receiver = await startSecureReceiver()
    const proxy = await startProxy({ tunnelTo: receiver.port })
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const env = { HTTPS_PROXY: `http://me:p%40ss@${proxy.address}` }
      expect((await notifyBy(env, 'https://hooks.example.test/services/x')).message).toBeUndefined()
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
    const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    expect(proxy.requests).toEqual([{ target: 'CONNECT hooks.example.test:443', authorization }])
    expect(receiver.names).toEqual(['hooks.example.test'])
    expect(JSON.parse(receiver.bodies.join('')).text).toContain('CRE-2026-0001')
  })

  test('may be set without http://, and the lower-case name takes precedence', async () => {
    const [lower, upper] = [await startProxy(undefined), await startProxy(undefined)]
    await notifyBy({ http_proxy: lower.address, HTTP_PROXY: upper.address }, 'http://hooks.example.test/')
    await notifyBy({ HTTP_PROXY: upper.address }, 'http://hooks.example.test/')
    expect([lower.requests.length, upper.requests.length]).toEqual([1, 1])
  })

  test.each(['127.0.0.1', '*', 'example.test, 127.0.0.1', 'localhost 127.0.0.1'])(
    'is not used for hosts in NO_PROXY=%s',
    async (list) => {
      const proxy = await startProxy(undefined)
      const receiver = await startReceiver()
      open.push(receiver)
      const env = { HTTP_PROXY: proxy.address, NO_PROXY: list }
      expect((await notifyBy(env, `http://127.0.0.1:${receiver.port}/`)).message).toBeUndefined()
      expect([proxy.requests.length, receiver.requests.length]).toEqual([0, 1])
    },
  )

  test('in the environment of the process is ignored if another environment is given', async () => {
    const proxy = await startProxy(undefined)
    const receiver = await startReceiver()
    open.push(receiver)
    process.env.http_proxy = `http://${proxy.address}`
    try {
      await notifyBy({}, `http://127.0.0.1:${receiver.port}/`)
    } finally {
      delete process.env.http_proxy
    }
    expect([proxy.requests.length, receiver.requests.length]).toEqual([0, 1])
  })
})

describe('a network error says what went wrong', () => {
  const webhook = 'https://hooks.example.test/services/verySecret'
  const at = 'notification to slack at hooks.example.test failed'

  test('a proxy that requires a password is not retried', async () => {
    const proxy = await startProxy({ refuse: 407 })
    const wanted = {
      message: `${at}: the proxy requires a user name and a password; set them in HTTPS_PROXY`,
      waits: 0,
    }
    expect(await notifyBy({ HTTPS_PROXY: proxy.address }, webhook)).toEqual(wanted)
  })

  test('a proxy that refuses is not retried, one with a server error is', async () => {
    const refusing = await startProxy({ refuse: 403 })
    expect(await notifyBy({ HTTPS_PROXY: refusing.address }, webhook)).toEqual({
      message: `${at}: the proxy refused the request (HTTP 403)`,
      waits: 0,
    })
    const failing = await startProxy({ refuse: 502 })
    expect(await notifyBy({ HTTPS_PROXY: failing.address }, webhook)).toEqual({
      message: `${at} after 5 attempts: the proxy refused the request (HTTP 502)`,
      waits: 4,
    })
  })

  test.each(['http://', 'http://user:verySecret@:0:0', 'nonsense://x'])('%s is not a proxy', async (address) => {
    const { message, waits } = await notifyBy({ HTTPS_PROXY: address }, webhook)
    expect(message).toMatch(`${at}: the proxy is not a valid address; check HTTPS_PROXY and HTTP_PROXY`)
    expect(message).not.toMatch('verySecret')
    expect(waits).toBe(0)
  })

  test('an untrusted certificate is not retried', async () => {
    const receiver = await startSecureReceiver()
    const { message, waits } = await notifyBy({}, `https://127.0.0.1:${receiver.port}/`)
    expect(message).toMatch('failed: its certificate is not trusted; set NODE_EXTRA_CA_CERTS to the file of your CA')
    expect(waits).toBe(0)
  })

  test('https:// to an http:// server is reported', async () => {
    const receiver = await startReceiver()
    open.push(receiver)
    const { message, waits } = await notifyBy({}, `https://127.0.0.1:${receiver.port}/`)
    expect(message).toMatch('failed: it does not speak TLS')
    expect(waits).toBe(0)
  })
})
