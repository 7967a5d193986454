import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDomain } from './domain.js'

const domainOf = (text: string) => {
  const checked = checkDomain(text)
  return 'domain' in checked ? checked.domain : checked.problem
}

test.each([
  ['acme.com', 'acme.com'],
  ['ACME.Com', 'acme.com'],
  [' acme.com\n', 'acme.com'],
  ['acme.com.', 'acme.com'],
  ['ＡＣＭＥ．ｃｏｍ', 'acme.com'],
  ['acme。com', 'acme.com'],
  ['ac\u00ADme.com', 'acme.com'],
  ['eng.acme.co.uk', 'eng.acme.co.uk'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['BÜCHER.de', 'xn--bcher-kva.de'],
  ['bu\u0308cher.de', 'xn--bcher-kva.de'],
  ['XN--BCHER-KVA.de', 'xn--bcher-kva.de'],
  ['faß.de', 'xn--fa-hia.de'],
  ['acme.github.io', 'acme.github.io'],
  ['acme.example', 'acme.example'],
  ['a-b.acme.com', 'a-b.acme.com'],
  ['1and1.com', '1and1.com'],
])('%j is the domain %s', (text, domain) => expect(domainOf(text)).toBe(domain))

test('letters that look alike give different domains', () => {
  const cyrillic = domainOf('аcme.com')
  expect(cyrillic).toBe('xn--cme-5cd.com')
  expect(new Set([cyrillic, domainOf('acme.com'), domainOf('acmé.com'), domainOf('αcme.com')]).size).toBe(4)
})

test.each([
  '',
  '.',
  'acme',
  'localhost',
  '.acme.com',
  'acme..com',
  'acme.com..',
  '-acme.com',
  'acme-.com',
  'a_b.com',
  'acme.com:443',
  'acme.com?x',
  'acme.com#x',
  'acme\\com.de',
  '%61cme.com',
  'ac me.com',
  'acme.com\0',
  'a\ud800.com',
  '*.acme.com',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '１２７.０.０.１',
  '[::1]',
  'xn--a.com',
  'xn--zzzzzz.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}com`,
  'ü.'.repeat(80),
  'x'.repeat(100_000),
  'com',
  'co.uk',
  'github.io',
  '公司.cn',
])('%j is not a domain of an organization', (text) => expect(domainOf(text)).toBe('invalid_request'))

test.each([
  'gmail.com',
  'GMAIL.com.',
  'mail.gmail.com',
  'outlook.com',
  'yahoo.co.uk',
  'qq.com',
  'proton.me',
  'ｇmail.com',
])('%s is public', (text) => expect(domainOf(text)).toBe('public_domain'))

describe('the message says what is wrong', () => {
  test.each([
    ['ada@acme.com', 'must be the part of an e-mail address after the @, such as acme.com'],
    ['https://acme.com', 'must be a domain name such as acme.com, not a URL'],
    ['co.uk', 'must not be a public suffix: use the name that is registered under co.uk'],
    ['10.0.0.1', 'must be a domain name such as acme.com, not an IP address'],
  ])('%s', (text, message) => expect(checkDomain(text)).toMatchObject({ message }))
})

test('every result is canonical: checking it again does not change it', () => {
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('.', 'acme', 'com', 'ü', 'xn--', '。', '-'))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const checked = checkDomain(pieces.join(''))
      if (!('domain' in checked)) return
      expect(checked.domain).toMatch(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/)
      expect(checkDomain(checked.domain)).toEqual(checked)
    }),
    { numRuns: 2_000 },
  )
})

test('a canonical domain gives the same result as after domainToASCII', () => {
  const labels = fc.stringMatching(/^[a-z0-9-]{1,8}$/)
  const written = fc
    .tuple(fc.array(labels, { maxLength: 4 }), fc.constantFrom('com', 'co.uk', 'c0m', 'xn--p1ai', '1', '0x1', 'e1', ''))
    .map(([before, last]) => [...before, last].join('.'))
  // A domain in capitals is not canonical.
  fc.assert(
    fc.property(written, (text) => {
      expect(checkDomain(text)).toEqual(checkDomain(text.toUpperCase()))
    }),
  )
})
