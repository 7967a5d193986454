import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FetchFailure } from './fetch-failure.js'
import { readUrl } from './read-url.js'

const read = (text: string) => readUrl(text, { allowInsecure: false })

function reasonOf(text: string, allowInsecure = false): string {
  try {
    return readUrl(text, { allowInsecure }).href
  } catch (error) {
    expect(error).toBeInstanceOf(FetchFailure)
    expect((error as FetchFailure).kind).toBe('refused')
    return (error as FetchFailure).message
  }
}

const LOOPBACK = '127.0.0.1 is a loopback address; only public addresses are allowed'
const MAPPED = '::ffff:7f00:1 is a loopback address; only public addresses are allowed'
const METADATA = '169.254.169.254 is the address of a metadata service; only public addresses are allowed'
const privateName = (name: string) => `"${name}" is a name in a private network; only public hosts are allowed`
const NOT_URL = 'it is not a URL'
const NOT_HTTPS = 'it does not start with https://'
const PASSWORD = 'it contains a user name or password'

describe('a URL from outside', () => {
  test.each([
    ['https://127.0.0.1/', LOOPBACK],
    ['https://127.1/', LOOPBACK],
    ['https://127.0.0.1./', LOOPBACK],
    ['https://2130706433/', LOOPBACK],
    ['https://0x7f000001/', LOOPBACK],
    ['https://0x7f.0.0.0x1/', LOOPBACK],
    ['https://0177.0.0.1/', LOOPBACK],
    ['https://017700000001/', LOOPBACK],
    ['https://１２７。０。０。１/', LOOPBACK],
    ['https://%31%32%37.0.0.1/', LOOPBACK],
    ['https://127.0.0.1:8443/', LOOPBACK],
    ['https:\\\\127.0.0.1\\', LOOPBACK],
    ['https://[::1]/', '::1 is a loopback address; only public addresses are allowed'],
    ['https://[::ffff:127.0.0.1]/', MAPPED],
    ['https://[0:0:0:0:0:ffff:7f00:1]/', MAPPED],
    ['https://[::ffff:0x7f.1]/', NOT_URL],
    ['https://[fe80::1%25eth0]/', NOT_URL],
    ['https://[fe80::1]/', 'fe80::1 is a link-local address; only public addresses are allowed'],
    [
      'https://[fd00:ec2::254]/',
      'fd00:ec2::254 is the address of a metadata service; only public addresses are allowed',
    ],
    ['https://169.254.169.254/latest/meta-data', METADATA],
    ['https://2852039166/', METADATA],
    ['https://0xa9fea9fe/', METADATA],
    ['https://0251.0376.0251.0376/', METADATA],
    ['https://0/', '0.0.0.0 is an unspecified address; only public addresses are allowed'],
    ['https://localhost/', privateName('localhost')],
    ['https://LOCALHOST./', privateName('localhost')],
    ['https://ｌｏｃａｌｈｏｓｔ/', privateName('localhost')],
    ['https://a.localhost/', privateName('a.localhost')],
    ['https://postgres/', privateName('postgres')],
    ['https://keycloak.local/', privateName('keycloak.local')],
    ['https://metadata.google.internal/', privateName('metadata.google.internal')],
    ['https://metadata.google.internal./', privateName('metadata.google.internal')],
    ['https://sso.acme.corp/', privateName('sso.acme.corp')],
    ['https://nas.home.arpa/', privateName('nas.home.arpa')],
    ['http://idp.acme.com/', NOT_HTTPS],
    ['ftp://idp.acme.com/', NOT_HTTPS],
    ['file:///etc/passwd', NOT_HTTPS],
    ['javascript:alert(1)', NOT_HTTPS],
    ['data:application/json,{}', NOT_HTTPS],
    ['https://admin:pass@idp.acme.com/', PASSWORD],
    ['https://admin@idp.acme.com/', PASSWORD],
    ['https://idp.acme.com@127.0.0.1/', PASSWORD],
    ['', NOT_URL],
    ['idp.acme.com', NOT_URL],
    ['/x', NOT_URL],
    ['https://', NOT_URL],
    ['https://idp.acme\n.com/', NOT_URL],
    ['https://idp.acme.com/\u0000', NOT_URL],
    ['https://256.1.1.1/', NOT_URL],
    ['https://idp.acme.com:99999/', NOT_URL],
    [`https://idp.acme.com/${'a'.repeat(2048)}`, NOT_URL],
  ])('%j: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  test.each([
    ['https://idp.acme.com/x?y=z', 'https://idp.acme.com/x?y=z'],
    ['  https://idp.acme.com/x\n', 'https://idp.acme.com/x'],
    ['HTTPS://IDP.Acme.com:443/x#y', 'https://idp.acme.com/x'],
    ['https://idp.acme.com:9031/', 'https://idp.acme.com:9031/'],
    ['https://bücher.example.com/', 'https://xn--bcher-kva.example.com/'],
    ['https://9.9.9.9/', 'https://9.9.9.9/'],
    ['https://[2620:fe::fe]/', 'https://[2620:fe::fe]/'],
    ['https://localhost.acme.com/', 'https://localhost.acme.com/'],
    ['https://internal.acme.com/', 'https://internal.acme.com/'],
  ])('%j is accepted', (text, href) => {
    expect(read(text).href).toBe(href)
  })

  test('may have any host in development, but only HTTP and no password', () => {
    expect(reasonOf('http://localhost:8080/x', true)).toBe('http://localhost:8080/x')
    expect(reasonOf('https://10.0.0.1/', true)).toBe('https://10.0.0.1/')
    expect(reasonOf('file:///etc/passwd', true)).toBe(NOT_HTTPS)
    expect(reasonOf('http://a:b@localhost/', true)).toBe(PASSWORD)
  })

  test('with a private address is rejected in every spelling', () => {
    const spellings = [
      (part: number) => `${part}`,
      (part: number) => `0x${part.toString(16)}`,
      (part: number) => `0${part.toString(8)}`,
    ]
    const spelling = fc.constantFrom(...spellings)
    const first = fc.constantFrom(10, 127, 0)
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(
        first,
        byte,
        byte,
        byte,
        spelling,
        spelling,
        fc.integer({ min: 1, max: 4 }),
        (a, b, c, d, s, t, parts) => {
          const bytes = [a, b, c, d]
          const rest = bytes.slice(parts - 1).reduce((sum, value) => sum * 256 + value, 0)
          const host = [...bytes.slice(0, parts - 1).map(s), t(rest)].join('.')
          expect(() => read(`https://${host}/`)).toThrow('only public addresses are allowed')
        },
      ),
    )
  })

  test('is parsed or rejected with a FetchFailure', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (text) => {
        expect(reasonOf(text)).toBeTypeOf('string')
      }),
    )
  })
})
