import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeKeys, type ReleaseService, sendFile, sha256, startService } from '../../test/release-service.js'
import type { Failure } from '../failure.js'
import { download } from './download.js'
import { partFile } from './part-file.js'
import { openService, type Service } from './service.js'

const BYTES = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919) % 256))
const TAG = `"${sha256(BYTES)}"`
const PATIENT = { total: 600_000, idle: 600_000 }

let folder = ''
let host: ReleaseService
let service: Service
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'omen-download-'))
  host = await startService(makeKeys())
  service = openService({ url: host.url, tokens: undefined, env: {}, limits: { response: 600_000 } })
})
afterEach(async () => {
  service.close()
  await host.close()
  rmSync(folder, { recursive: true, force: true })
})

function respond(send: (request: IncomingMessage, response: ServerResponse) => unknown): void {
  host.handle = (request, response) => {
    send(request, response)
    return true
  }
}

const part = () => partFile(join(folder, 'f.part'), 0o600)

function get(limits = PATIENT, signal?: AbortSignal) {
  const wanted = { file: 'f', url: new URL(`${host.url}/f`), size: BYTES.length }
  return download(wanted, part(), { service, limits, signal }).then(
    (resumed) => ({ resumed, bytes: readFileSync(join(folder, 'f.part')) }),
    (error: unknown) => (error as Failure).message,
  )
}

function leave(bytes: Uint8Array, tag: string | undefined): void {
  writeFileSync(join(folder, 'f.part'), bytes)
  if (tag !== undefined) writeFileSync(join(folder, 'f.part.etag'), tag)
}

describe('a download', () => {
  it('has every byte, wherever connections break and runs are killed', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: BYTES.length }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(cuts, fc.nat(BYTES.length), async (lengths, left) => {
        const breaks = [...lengths]
        part().discard()
        if (left > 0) leave(BYTES.subarray(0, left), TAG)
        respond((request, response) => {
          const length = breaks.shift()
          if (length === undefined) return sendFile(BYTES, request, response)
          const from = Number(/\d+/.exec(request.headers.range ?? '0'))
          // `connection: close`, because the next request must not use a connection that is about to end.
          const head = { etag: TAG, 'content-length': BYTES.length - from, connection: 'close' }
          const range = { 'content-range': `bytes ${from}-${BYTES.length - 1}/${BYTES.length}` }
          response.writeHead(from === 0 ? 200 : 206, from === 0 ? head : { ...head, ...range })
          return response.write(BYTES.subarray(from, from + length), () => request.socket.end())
        })
        expect(await get()).toEqual({ resumed: left, bytes: BYTES })
      }),
      { numRuns: 15 },
    )
  })

  it.each([
    ['a weak tag', 'W/"1"'],
    ['no tag', undefined],
    ['a tag with a line break', '"a\r\nb"'],
  ])('does not continue a part with %s', async (_, tag) => {
    leave(Buffer.alloc(100), tag)
    respond((request, response) => sendFile(BYTES, request, response))
    expect(await get()).toEqual({ resumed: 0, bytes: BYTES })
    expect(host.requests.map(({ headers }) => headers.range)).toEqual([undefined])
  })

  it('starts again if the part is too long, or the service does not have the range', async () => {
    leave(Buffer.alloc(BYTES.length + 1), TAG)
    respond((request, response) => sendFile(BYTES, request, response))
    expect(await get()).toMatchObject({ bytes: BYTES })
    leave(Buffer.alloc(100), TAG)
    respond((request, response) =>
      request.headers.range ? response.writeHead(416).end() : sendFile(BYTES, request, response),
    )
    expect(await get()).toMatchObject({ bytes: BYTES })
  })

  it('refuses another range than it requested', async () => {
    leave(BYTES.subarray(0, 100), TAG)
    respond((_, response) =>
      response
        .writeHead(206, { etag: TAG, 'content-range': `bytes 50-${BYTES.length - 1}/${BYTES.length}` })
        .end(BYTES.subarray(50)),
    )
    expect(await get()).toBe('f: the service sent another range than requested: not installed')
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses a compressed response', async () => {
    respond((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
    expect(await get()).toBe('f: the service compressed the file (gzip): not installed')
    expect(host.requests[0]?.headers['accept-encoding']).toBe('identity')
  })

  it('stops reading a response that is longer than announced', async () => {
    respond((_, response) => {
      const writeChunks = () => {
        while (!response.destroyed && response.write(BYTES));
      }
      response
        .writeHead(200)
        .on('drain', writeChunks)
        .on('error', () => {})
      writeChunks()
    })
    expect(await get()).toBe('f: it is longer than the announced 50000 bytes: not installed')
    expect(readdirSync(folder)).toEqual([])
  })

  it('gives up a service that stops sending, and keeps the downloaded part', async () => {
    respond((_, response) =>
      response.writeHead(200, { etag: TAG, 'content-length': BYTES.length }).write(BYTES.subarray(0, 2000)),
    )
    expect(await get({ total: 600_000, idle: 50 })).toMatch(
      /^f: it did not respond in time( after 2\.0 kB of 50\.0 kB)?$/,
    )
    respond(() => {})
    expect(await get({ total: 50, idle: 600_000 })).toMatch(/^f: it did not respond in time/)
  })

  it('follows at most three redirects within the service', async () => {
    respond((request, response) =>
      request.url === '/f' ? response.writeHead(302, { location: '/g' }).end() : sendFile(BYTES, request, response),
    )
    expect(await get()).toMatchObject({ bytes: BYTES })
    part().discard()
    respond((request, response) => response.writeHead(302, { location: `${request.url}x` }).end())
    expect(await get()).toBe('f: too many redirects: check service.url')
    expect(host.requests.map(({ path }) => path)).toEqual(['/f', '/g', '/f', '/fx', '/fxx', '/fxxx'])
  })

  it('says that it was interrupted', async () => {
    const controller = new AbortController()
    respond((_, response) => {
      response.writeHead(200, { etag: TAG, 'content-length': BYTES.length }).write(BYTES.subarray(0, 2000))
      controller.abort()
    })
    expect(await get(PATIENT, controller.signal)).toMatch(/^f: interrupted/)
  })
})
