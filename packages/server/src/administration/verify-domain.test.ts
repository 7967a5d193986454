import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NameServer, startNameServer } from '../../test/administration/name-server.js'
import { Problem } from '../problem.js'
import { createTxtResolver, recordOf, verifyRecord } from './verify-domain.js'

const RECORD = recordOf('acme.org', '0123456789abcdef0123456789abcdef')

/** The message for a domain with these DNS records. */
async function messageFor(records: readonly (readonly string[])[] | { readonly code: string }): Promise<string> {
  const resolve = async (name: string) => {
    expect(name).toBe('_omen.acme.org')
    if ('code' in records) throw Object.assign(new Error('hush'), records)
    return records
  }
  try {
    await verifyRecord(resolve, RECORD)
    return 'verified'
  } catch (error) {
    if (error instanceof Problem && error.code === 'domain_unverified') return error.message
    throw error
  }
}

test('the record verifies the domain: among others, in pieces, and with quotes that a user typed', async () => {
  expect(await messageFor([[RECORD.value]])).toBe('verified')
  expect(await messageFor([['v=spf1 -all'], ['omen-domain=0123456789abcdef', '0123456789abcdef']])).toBe('verified')
  expect(await messageFor([[`"${RECORD.value}" `]])).toBe('verified')
})

test('the message names what was found and what was expected', async () => {
  expect(await messageFor({ code: 'ENOTFOUND' })).toBe(
    'There is no TXT record at _omen.acme.org yet. Add a TXT record at _omen.acme.org with the value ' +
      `${RECORD.value}. New records can take up to an hour to appear: try again later.`,
  )
  expect(await messageFor([['omen-domain=0000']])).toContain(
    'The TXT record at _omen.acme.org is "omen-domain=0000". Add a TXT record',
  )
  expect(await messageFor([['a'], ['b'], ['c'], ['d'], ['e']])).toContain(
    'is "a", "b", "c" and 2 more. Add a TXT record',
  )
})

test.each([
  ['ETIMEOUT', 'its name servers do not respond'],
  ['ESERVFAIL', 'its name servers return an error (SERVFAIL)'],
  ['ESTRANGE', 'the lookup failed with ESTRANGE'],
])('%s is explained', async (code, reason) => {
  expect(await messageFor({ code })).toContain(`_omen.acme.org cannot be looked up: ${reason}.`)
})

test('ten megabytes of records give a short message', async () => {
  const text = await messageFor(Array.from({ length: 1_000 }, () => Array.from({ length: 100 }, () => 'x'.repeat(100))))
  expect(text.length).toBeLessThan(1_000)
})

test('only the record verifies a domain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.string())), async (records) => {
      expect(await messageFor(records)).not.toBe('verified')
    }),
  )
})

let dns: NameServer
beforeAll(async () => {
  dns = await startNameServer()
})
afterAll(() => dns[Symbol.asyncDispose]())

const resolve = (timeoutMs = 120_000) => createTxtResolver({ servers: [dns.address], timeoutMs })('_omen.acme.org')
const codeOf = (promise: Promise<unknown>) => promise.then(() => 'found').catch(({ code }: { code: string }) => code)

test('records are found, long ones in their pieces', async () => {
  dns.response = ['omen-domain=abc', 'x'.repeat(300)]
  expect(await resolve()).toEqual([['omen-domain=abc'], ['x'.repeat(255), 'x'.repeat(45)]])
})

test('a response that is too long for a datagram is requested over TCP', async () => {
  dns.response = { overTcp: Array.from({ length: 60 }, (_, index) => `${index} ${'y'.repeat(900)}`) }
  expect(await resolve()).toHaveLength(60)
})

test('a name that does not exist and a server that fails are distinguished', async () => {
  dns.response = 'nxdomain'
  expect(await codeOf(resolve())).toBe('ENOTFOUND')
  dns.response = 'servfail'
  expect(await codeOf(resolve())).toBe('ESERVFAIL')
})

test('a lookup without a response times out', async () => {
  dns.response = 'silence'
  expect(await codeOf(resolve(300))).toBe('ETIMEOUT')
})
