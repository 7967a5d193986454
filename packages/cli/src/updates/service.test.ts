import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listen } from '../../test/receiver.js'
import { issuedToken } from '../account/token-source.js'
import { isLoopback } from '../network/authorization.js'
import { openService } from './service.js'

/** The requests of a proxy, which receives those for any host. */
let requests: Pick<IncomingMessage, 'url' | 'headers'>[] = []
let proxy: Awaited<ReturnType<typeof listen>>
beforeEach(async () => {
  requests = []
  const server = createServer(({ url, headers }, response) => {
    requests.push({ url, headers })
    response.end('{}')
  })
  proxy = await listen(server)
})
afterEach(() => proxy.close())

async function authorizationAt(url: string, token: string | undefined): Promise<string | undefined> {
  const env = { http_proxy: `127.0.0.1:${proxy.port}` }
  const service = openService({
    url,
    tokens: token === undefined ? undefined : issuedToken(token),
    env,
    limits: { response: 600_000 },
  })
  try {
    await service.latest(undefined)
  } finally {
    service.close()
  }
  return requests.at(-1)?.headers.authorization
}

describe('secrets', () => {
  it('are sent over plain HTTP to this machine only', async () => {
    expect(await authorizationAt('http://omen.example.test', 'omen_1')).toBeUndefined()
    expect(await authorizationAt('http://me:pass@omen.example.test', undefined)).toBeUndefined()
    expect(await authorizationAt('http://localhost.example.test', 'omen_1')).toBeUndefined()
    expect(await authorizationAt('http://127.0.0.1.example.test', 'omen_1')).toBeUndefined()
    expect(await authorizationAt('http://localhost', 'omen_1')).toBe('Bearer omen_1')
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    expect(await authorizationAt('http://me:p%40ss@127.0.0.1', undefined)).toBe(basic)
  })

  it('are not in the requested URL', async () => {
    await authorizationAt('http://me:pass@omen.example.test/base/', undefined)
    expect(requests.at(-1)?.url).toBe('http://omen.example.test/base/v1/rules/latest')
  })
})

it.each([
  ['http://localhost:8080', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:8080', true],
  ['http://128.0.0.1', false],
  ['http://127.0.0.1.nip.io', false],
  ['http://[::2]', false],
])('%s is this machine: %s', (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected)
})

describe('a service that does not respond', () => {
  it('is a failure after the time limit', async () => {
    const silent = await listen(createServer(() => {}))
    const service = openService({
      url: `http://127.0.0.1:${silent.port}`,
      tokens: undefined,
      env: {},
      limits: { response: 50 },
    })
    await expect(service.latest(undefined)).rejects.toThrow(`127.0.0.1:${silent.port}: it did not respond in time`)
    service.close()
    await silent.close()
  })
})
