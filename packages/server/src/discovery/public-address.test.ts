import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explainAddress } from './public-address.js'

const NAT = 'a shared address of a provider (carrier-grade NAT)'
const METADATA = 'the address of a metadata service'

const CLOSED: readonly (readonly [address: string, reason: string])[] = [
  ['127.0.0.1', 'a loopback address'],
  ['127.255.255.254', 'a loopback address'],
  ['0.0.0.0', 'an unspecified address'],
  ['0.1.2.3', 'an unspecified address'],
  ['10.0.0.1', 'a private address'],
  ['172.16.0.1', 'a private address'],
  ['172.31.255.255', 'a private address'],
  ['192.168.1.1', 'a private address'],
  ['100.64.0.1', NAT],
  ['100.127.255.255', NAT],
  ['169.254.1.1', 'a link-local address'],
  ['169.254.169.254', METADATA],
  ['169.254.170.2', METADATA],
  ['168.63.129.16', METADATA],
  ['100.100.100.200', METADATA],
  ['192.0.0.192', METADATA],
  ['192.0.0.8', 'a reserved address'],
  ['192.0.2.1', 'a reserved address'],
  ['192.88.99.1', 'a reserved address'],
  ['198.18.0.1', 'a reserved address'],
  ['198.51.100.1', 'a reserved address'],
  ['203.0.113.1', 'a reserved address'],
  ['224.0.0.1', 'a multicast address'],
  ['239.255.255.255', 'a multicast address'],
  ['240.0.0.1', 'a reserved address'],
  ['255.255.255.255', 'a broadcast address'],
  ['::', 'an unspecified address'],
  ['::1', 'a loopback address'],
  ['::ffff:127.0.0.1', 'a loopback address'],
  ['::ffff:7f00:1', 'a loopback address'],
  ['::ffff:10.0.0.1', 'a private address'],
  ['::ffff:a9fe:a9fe', METADATA],
  ['::127.0.0.1', 'a reserved address'],
  ['::7f00:1', 'a reserved address'],
  ['::ffff:0:7f00:1', 'a reserved address'],
  ['64:ff9b::7f00:1', 'a loopback address'],
  ['64:ff9b::10.0.0.1', 'a private address'],
  ['64:ff9b:1::808:808', 'a reserved address'],
  ['2002:7f00:1::', 'an address of a tunnel (6to4)'],
  ['2002:0a00:0001::1', 'an address of a tunnel (6to4)'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'an address of a tunnel (Teredo)'],
  ['fe80::1', 'a link-local address'],
  ['fe80::1%eth0', 'an address of one network interface'],
  ['2606:4700::1111%eth0', 'an address of one network interface'],
  ['fec0::1', 'a private address'],
  ['fc00::1', 'a private address'],
  ['fd12:3456:789a::1', 'a private address'],
  ['fd00:ec2::254', METADATA],
  ['fd00:0ec2:0000:0000:0000:0000:0000:0254', METADATA],
  ['fd20:ce::254', METADATA],
  ['ff02::1', 'a multicast address'],
  ['100::1', 'a reserved address'],
  ['2001:db8::1', 'a reserved address'],
  ['3fff::1', 'a reserved address'],
  ['2001:2::1', 'a reserved address'],
  ['5f00::1', 'a reserved address'],
  ['4000::1', 'a reserved address'],
]

const OPEN = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
]

describe('an address', () => {
  test.each(CLOSED)('%s is %s', (address, reason) => {
    expect(explainAddress(address)).toBe(reason)
  })

  test.each(OPEN)('%s is public', (address) => {
    expect(explainAddress(address)).toBeUndefined()
  })

  test.each(['', 'localhost', '127.1', '0177.0.0.1', '0x7f000001', '2130706433', '1.1.1.1/8', '[::1]', '１.1.1.1'])(
    '%j is not an address',
    (text) => {
      expect(explainAddress(text)).toBe('not an address')
    },
  )

  test('of IPv4 has the same result when embedded in IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        const plain = explainAddress(address)
        for (const prefix of ['::ffff:', '64:ff9b::']) {
          expect(explainAddress(`${prefix}${address}`)).toBe(plain)
          expect(explainAddress(`${prefix}${groups}`)).toBe(plain)
        }
      }),
    )
  })

  test('is never public outside 2000::/3, unless it embeds an IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const { hostname } = new URL(`http://[${address}]`)
        const isGlobal = /^\[[23][0-9a-f]{3}:/.test(hostname)
        const isEmbedded = /^\[(::ffff:|64:ff9b::)/.test(hostname)
        expect(isGlobal || isEmbedded || explainAddress(address) !== undefined).toBe(true)
      }),
    )
  })
})
