import { describe, expect, test } from 'vitest'
import { makeAuthority } from '../../test/discovery/certificates.js'
import { type Handler, startServer } from '../../test/discovery/local-server.js'
import { authority, failureOf, HOST, STAGE } from '../../test/discovery/stage.js'
import { createGuardedFetch } from './guarded-fetch.js'

const identity = authority.issue(HOST)

const respondOk: Handler = (_, response) => response.end('{"a":1}')

describe('over HTTPS', () => {
  test('a response is read, whatever its status', async () => {
    await using server = await startServer((_, response) => response.writeHead(404).end('no'), identity)
    const fetched = await createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/x?y=z`)
    expect(fetched).toMatchObject({ status: 404, body: Buffer.from('no') })
    expect(server.requests).toMatchObject([
      {
        method: 'GET',
        url: '/x?y=z',
        servername: HOST,
        headers: {
          host: `${HOST}:${server.port}`,
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'omen-server',
          connection: 'close',
        },
      },
    ])
  })

  test('a form is posted', async () => {
    await using server = await startServer(respondOk, identity)
    await createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=ü',
    })
    expect(server.requests).toMatchObject([{ method: 'POST', body: 'a=ü', headers: { 'content-length': '4' } }])
  })

  test.each([
    ['for another host', authority.issue('other.test'), 'its certificate is for another host'],
    ['that has expired', authority.issue(HOST, { isExpired: true }), 'its certificate has expired'],
    ['of an unknown authority', makeAuthority().issue(HOST), 'its certificate is not signed by a trusted authority'],
  ])('a certificate %s is rejected, and nothing is sent', async (_, foreign, message) => {
    await using server = await startServer(respondOk, foreign)
    const failure = await failureOf(createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`))
    expect(failure).toEqual({ kind: 'unreachable', message })
    expect(server.requests).toEqual([])
  })

  test('a server without TLS is distinguished from one that cannot be reached', async () => {
    await using server = await startServer(respondOk)
    const failure = await failureOf(createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`))
    expect(failure).toEqual({ kind: 'unreachable', message: 'it does not support TLS at this port' })
  })

  test('development mode allows HTTP and private addresses, but checks certificates', async () => {
    await using plain = await startServer(respondOk)
    await using secure = await startServer(respondOk, makeAuthority().issue(HOST))
    const guarded = createGuardedFetch({ allowInsecure: true, resolve: STAGE.resolve })
    expect((await guarded.fetch(`http://127.0.0.1:${plain.port}/`)).status).toBe(200)
    expect((await guarded.fetch(`http://${HOST}:${plain.port}/`)).status).toBe(200)
    expect(await failureOf(guarded.fetch(`https://${HOST}:${secure.port}/`))).toEqual({
      kind: 'unreachable',
      message: 'its certificate is not signed by a trusted authority',
    })
  })
})

describe('an address that is not public', () => {
  test.each([
    ['https://127.0.0.1:%/', '127.0.0.1 is a loopback address; only public addresses are allowed'],
    ['https://2130706433:%/', '127.0.0.1 is a loopback address; only public addresses are allowed'],
    ['https://0177.0.0.1:%/', '127.0.0.1 is a loopback address; only public addresses are allowed'],
    ['https://[::ffff:127.0.0.1]:%/', '::ffff:7f00:1 is a loopback address; only public addresses are allowed'],
    ['https://localhost:%/', '"localhost" is a name in a private network; only public hosts are allowed'],
    ['https://idp.test:%/', '"idp.test" resolves to a loopback address; only public addresses are allowed'],
    ['http://idp.test:%/', 'it does not start with https://'],
  ])('is rejected and no socket is opened: %s', async (template, message) => {
    await using server = await startServer(respondOk, identity)
    const { explainAddress: _, ...real } = STAGE
    const url = template.replace('%', `${server.port}`)
    expect(await failureOf(createGuardedFetch(real).fetch(url))).toEqual({ kind: 'refused', message })
    expect(await failureOf(createGuardedFetch(real).check(url))).toEqual({ kind: 'refused', message })
    // Connections arrive in order: had there been one before this, it would be counted.
    await createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`)
    expect(server.connections).toBe(1)
  })

  test.each([
    ['alone', ['10.0.0.1'], 'a private address'],
    ['after a public one', ['127.0.0.1', '192.168.0.1'], 'a private address'],
    ['before a public one', ['169.254.169.254', '127.0.0.1'], 'the address of a metadata service'],
    ['among IPv6', ['127.0.0.1', '2606:4700::1', 'fd00::1'], 'a private address'],
    ['with a string that is not an address', ['evil'], 'not an address'],
  ])('makes a public name unusable: %s', async (_, addresses, reason) => {
    await using server = await startServer(respondOk, identity)
    const guarded = createGuardedFetch({ ...STAGE, resolve: async () => addresses })
    expect(await failureOf(guarded.fetch(`https://${HOST}:${server.port}/`))).toEqual({
      kind: 'refused',
      message: `"idp.test" resolves to ${reason}; only public addresses are allowed`,
    })
    await createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`)
    expect(server.connections).toBe(1)
  })

  test('cannot replace the checked address: the host is looked up once', async () => {
    await using server = await startServer(respondOk, identity)
    const lookups: string[] = []
    const responses = [['127.0.0.1'], ['10.0.0.1'], ['10.0.0.1']]
    const resolve = async (host: string) => {
      lookups.push(host)
      return responses[lookups.length - 1] ?? []
    }
    const guarded = createGuardedFetch({ ...STAGE, resolve })
    expect((await guarded.fetch(`https://${HOST}:${server.port}/`)).status).toBe(200)
    expect(lookups).toEqual([HOST])
    expect((await failureOf(guarded.fetch(`https://${HOST}:${server.port}/`))).kind).toBe('refused')
    expect(server.connections).toBe(1)
  })
})

test('a host with several addresses is reached at one that responds', async () => {
  await using server = await startServer(respondOk, identity)
  const resolve = async () => ['::1', '127.0.0.1']
  const guarded = createGuardedFetch({ ...STAGE, resolve, explainAddress: () => undefined })
  expect((await guarded.fetch(`https://${HOST}:${server.port}/`)).status).toBe(200)
})

describe('the name server', () => {
  const refuse = (code: string) => async () => {
    throw Object.assign(new Error(`secret of the network ${code}`), { code })
  }

  test.each([
    ['that knows no such host', refuse('ENOTFOUND'), 'the host does not exist'],
    ['that is away', refuse('EAI_AGAIN'), 'the name server does not respond'],
    ['that gives no address', async () => [], 'the host does not exist'],
  ])('%s', async (_, resolve, message) => {
    const guarded = createGuardedFetch({ ...STAGE, resolve })
    expect(await failureOf(guarded.fetch(`https://${HOST}/`))).toEqual({ kind: 'unreachable', message })
  })

  test('that never responds times out', async () => {
    const guarded = createGuardedFetch({ ...STAGE, timeout: 20, resolve: () => new Promise(() => undefined) })
    const failure = { kind: 'too_slow', message: 'there was no complete response within 0.02 s' }
    expect(await failureOf(guarded.fetch(`https://${HOST}/`))).toEqual(failure)
    expect(await failureOf(guarded.check(`https://${HOST}/`))).toEqual(failure)
  })
})

describe('a redirect is not followed', () => {
  test.each([
    ['https://other.test/x', 'it redirects to "https://other.test/x", but redirects are not followed'],
    ['/y', 'it redirects to "https://idp.test:%/y", but redirects are not followed'],
    ['http://169.254.169.254/', 'it redirects to "http://169.254.169.254/", but redirects are not followed'],
    ['https://u:p@other.test/', 'it redirects to another address, but redirects are not followed'],
    ['https://[', 'it redirects to another address, but redirects are not followed'],
    [undefined, 'it redirects to another address, but redirects are not followed'],
  ])('to %s', async (location, message) => {
    await using server = await startServer((_, response) => {
      response.writeHead(302, location === undefined ? {} : { location }).end('{}')
    }, identity)
    for (const allowInsecure of [false, true]) {
      const guarded = createGuardedFetch({ ...STAGE, allowInsecure })
      expect(await failureOf(guarded.fetch(`https://${HOST}:${server.port}/x`))).toEqual({
        kind: 'redirected',
        message: message.replace('%', `${server.port}`),
      })
    }
    expect(server.requests).toHaveLength(2)
  })
})

test('a hundred concurrent requests do not disturb each other', async () => {
  await using server = await startServer(({ url }, response) => response.end(url), identity)
  const guarded = createGuardedFetch(STAGE)
  const paths = Array.from({ length: 100 }, (_, index) => `/${index}`)
  const responses = await Promise.all(paths.map((path) => guarded.fetch(`https://${HOST}:${server.port}${path}`)))
  expect(responses.map(({ body }) => Buffer.from(body).toString())).toEqual(paths)
})
