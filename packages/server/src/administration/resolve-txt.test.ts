import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NameServer, startNameServer } from '../../test/administration/name-server.js'
import { createTxtResolver } from './resolve-txt.js'

let dns: NameServer
beforeAll(async () => {
  dns = await startNameServer()
})
afterAll(() => dns[Symbol.asyncDispose]())

const resolve = (timeoutMs = 120_000) => createTxtResolver({ servers: [dns.address], timeoutMs })('_omen.acme.org')
const codeOf = (promise: Promise<unknown>) => promise.then(() => 'found').catch(({ code }: { code: string }) => code)

test('records are found, long ones in their pieces', async () => {
  dns.says = ['omen-domain=abc', 'x'.repeat(300)]
  expect(await resolve()).toEqual([['omen-domain=abc'], ['x'.repeat(255), 'x'.repeat(45)]])
})

test('an answer that is too long for a datagram is asked for again, up to what the protocol allows', async () => {
  dns.says = { overTcp: Array.from({ length: 60 }, (_, index) => `${index} ${'y'.repeat(900)}`) }
  expect(await resolve()).toHaveLength(60)
})

test('a name that does not exist and a server that fails are told apart', async () => {
  dns.says = 'nxdomain'
  expect(await codeOf(resolve())).toBe('ENOTFOUND')
  dns.says = 'servfail'
  expect(await codeOf(resolve())).toBe('ESERVFAIL')
})

test('a server that never answers is given up', async () => {
  dns.says = 'silence'
  expect(await codeOf(resolve(300))).toBe('ETIMEOUT')
})
