import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/discovery/local-server.js'
import { authority, failureOf, HOST, STAGE } from '../../test/discovery/stage.js'
import { createGuardedFetch } from './guarded-fetch.js'

const identity = authority.issue(HOST)

describe('a hostile server', () => {
  const LIMIT = 256 * 1024
  const tooLarge = { kind: 'too_large', message: 'its response is larger than 256 KiB' }
  const tooSlow = { kind: 'too_slow', message: 'there was no complete response within 0.1 s' }
  const timers = new Set<NodeJS.Timeout>()
  afterAll(() => timers.forEach(clearInterval))

  test('may send 256 KiB, and not one byte more', async () => {
    await using server = await startServer(
      ({ url }, response) => response.end('x'.repeat(Number(url.slice(1)))),
      identity,
    )
    const guarded = createGuardedFetch(STAGE)
    const { body } = await guarded.fetch(`https://${HOST}:${server.port}/${LIMIT}`)
    expect(body.length).toBe(LIMIT)
    expect(await failureOf(guarded.fetch(`https://${HOST}:${server.port}/${LIMIT + 1}`))).toEqual(tooLarge)
  })

  test('that declares too large a response is rejected immediately', async () => {
    await using server = await startServer((_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 40 }).write('{')
    }, identity)
    expect(await failureOf(createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`))).toEqual(tooLarge)
  })

  test('that never ends is cut off', async () => {
    await using server = await startServer((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', more)
      more()
    }, identity)
    expect(await failureOf(createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`))).toEqual(tooLarge)
  })

  test('that sends slowly times out', async () => {
    await using server = await startServer((_, response) => {
      const timer = setInterval(() => response.write(' '), 5)
      timers.add(timer)
      response.on('close', () => clearInterval(timer))
    }, identity)
    const guarded = createGuardedFetch({ ...STAGE, timeout: 100 })
    expect(await failureOf(guarded.fetch(`https://${HOST}:${server.port}/`))).toEqual(tooSlow)
  })

  test('that sends nothing times out', async () => {
    await using server = await startServer(() => undefined, identity)
    const guarded = createGuardedFetch({ ...STAGE, timeout: 100 })
    expect(await failureOf(guarded.fetch(`https://${HOST}:${server.port}/`))).toEqual(tooSlow)
  })

  test('that never completes the TLS handshake times out', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const guarded = createGuardedFetch({ ...STAGE, timeout: 100 })
    expect(await failureOf(guarded.fetch(`https://${HOST}:${port}/`))).toEqual(tooSlow)
    // Ends only when the connection was released.
    await new Promise((resolve) => server.close(resolve))
  })

  test('that sends a compressed response is rejected without decompressing it', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    await using server = await startServer(
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      identity,
    )
    expect(await failureOf(createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`))).toEqual({
      kind: 'unreachable',
      message: 'its response is compressed ("gzip"), which was not requested',
    })
  })

  test.each([
    ['closes at once', '', 'the connection was closed before a response'],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'its response is not HTTP'],
    [
      'sends endless headers',
      `HTTP/1.1 200 OK\r\n${`a: ${'b'.repeat(1000)}\r\n`.repeat(100)}`,
      'the headers of its response are too large',
    ],
    [
      'switches protocols unasked',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'the connection was closed before a response',
    ],
    [
      'breaks off in the body',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{',
      'the connection was closed before a response',
    ],
    [
      'breaks off in a chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{',
      'the connection was closed before a response',
    ],
  ])('that %s is reported', async (_, bytes, message) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(bytes))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const guarded = createGuardedFetch({ allowInsecure: true })
    expect(await failureOf(guarded.fetch(`http://127.0.0.1:${port}/`))).toEqual({ kind: 'unreachable', message })
    await new Promise((resolve) => server.close(resolve))
  })

  test('that cannot be reached is reported', async () => {
    const server = await startServer(() => undefined)
    await server[Symbol.asyncDispose]()
    expect(await failureOf(createGuardedFetch(STAGE).fetch(`https://${HOST}:${server.port}/`))).toEqual({
      kind: 'unreachable',
      message: 'the connection was refused',
    })
  })
})
