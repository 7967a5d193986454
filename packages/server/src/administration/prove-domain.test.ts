import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../problem.js'
import { proveRecord, recordOf } from './prove-domain.js'

const RECORD = recordOf('acme.org', '0123456789abcdef0123456789abcdef')

/** What is told about a domain whose DNS answers so. */
async function told(records: readonly (readonly string[])[] | { readonly code: string }): Promise<string> {
  const resolve = async (name: string) => {
    expect(name).toBe('_omen.acme.org')
    if ('code' in records) throw Object.assign(new Error('hush'), records)
    return records
  }
  try {
    await proveRecord(resolve, RECORD)
    return 'verified'
  } catch (error) {
    if (error instanceof Problem && error.code === 'domain_unverified') return error.message
    throw error
  }
}

test('the record proves the domain: among others, in pieces, with quotes that somebody typed', async () => {
  expect(await told([[RECORD.value]])).toBe('verified')
  expect(await told([['v=spf1 -all'], ['omen-domain=0123456789abcdef', '0123456789abcdef']])).toBe('verified')
  expect(await told([[`"${RECORD.value}" `]])).toBe('verified')
})

test('what is told names what was found and what was expected', async () => {
  expect(await told({ code: 'ENOTFOUND' })).toBe(
    'There is no TXT record at _omen.acme.org yet. Expected is a TXT record at _omen.acme.org with the value ' +
      `${RECORD.value}. New records take minutes, sometimes an hour: try again.`,
  )
  expect(await told([['omen-domain=0000']])).toContain(
    'The TXT record at _omen.acme.org is "omen-domain=0000". Expected',
  )
  expect(await told([['a'], ['b'], ['c'], ['d'], ['e']])).toContain('is "a", "b", "c" and 2 more. Expected')
})

test.each([
  ['ETIMEOUT', 'its name servers do not answer'],
  ['ESERVFAIL', 'its name servers answer with an error (SERVFAIL)'],
  ['ESTRANGE', 'the DNS answers with ESTRANGE'],
])('%s is told in words', async (code, words) => {
  expect(await told({ code })).toContain(`_omen.acme.org cannot be looked up: ${words}.`)
})

test('ten megabytes are told in a few words', async () => {
  const text = await told(Array.from({ length: 1_000 }, () => Array.from({ length: 100 }, () => 'x'.repeat(100))))
  expect(text.length).toBeLessThan(1_000)
})

test('nothing but the record proves a domain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.string())), async (records) => {
      expect(await told(records)).not.toBe('verified')
    }),
  )
})
