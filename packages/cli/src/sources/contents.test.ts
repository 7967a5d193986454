import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspect, isBinary } from './contents.js'

const LINE = '2026-03-01T12:00:01Z disk full: /var/lib/postgresql\n'
const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('data is binary if it', () => {
  it.each([
    ['is an executable', readFileSync(process.execPath).subarray(0, 4096)],
    ['is a record of logins', bytes(`\x07\0\0\0\x1f\x04\0\0tty1${'\0'.repeat(28)}1\0\0\0root${'\0'.repeat(28)}`)],
    ['is a database', bytes(`SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\x02${'\0'.repeat(60)}`)],
  ])('%s', (_, head) => {
    expect(isBinary(head)).toBe(true)
  })

  it('is random, unless it happens to have no zero', () => {
    const random = fc.uint8Array({ minLength: 1000, maxLength: 4096 }).filter((head) => head.includes(0))
    fc.assert(fc.property(random, isBinary), { numRuns: 100 })
  })
})

describe('data is text if it', () => {
  it.each([
    ['is a log', bytes(LINE)],
    ['has zeros that a crash left', bytes(`${LINE}${'\0'.repeat(500)}${LINE}`)],
    ['begins with zeros, as after a truncation', bytes(`${'\0'.repeat(3000)}${LINE.repeat(20)}`)],
    ['is nothing but zeros so far', bytes('\0'.repeat(4096))],
    ['has colours', bytes(LINE.replace('disk', '\x1b[31mdisk\x1b[0m'))],
    ['is Latin-1', bytes('2026-03-01 Gerät läuft über: öäüß\n')],
    ['is empty', bytes('')],
  ])('%s', (_, head) => {
    expect(isBinary(head)).toBe(false)
  })
})

describe('UTF-16 without a byte order mark', () => {
  const utf16 = Buffer.from(`${LINE}Größe: 5 €\n`, 'utf16le')

  it('is recognised in both orders of bytes', () => {
    expect(inspect(utf16)).toEqual({ is: 'text', encoding: 'utf-16le' })
    expect(inspect(Buffer.from(utf16).swap16())).toEqual({ is: 'text', encoding: 'utf-16be' })
  })

  it('is not mistaken for text with zeros', () => {
    expect(inspect(bytes(`${LINE}${'\0'.repeat(500)}`))).toEqual({ is: 'text', encoding: undefined })
    expect(inspect(bytes('a\0b\0'))).toEqual({ is: 'text', encoding: undefined })
  })
})
