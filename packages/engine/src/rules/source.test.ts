import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readSource } from './source.js'

const encode = (text: string) => new TextEncoder().encode(text)

describe('a source', () => {
  test('is a string, or bytes in UTF-8, without a byte order mark', async () => {
    expect(await readSource({ name: 'a', text: 'é' })).toBe('é')
    expect(await readSource({ name: 'a', text: '\ufeffé' })).toBe('é')
    expect(await readSource({ name: 'a', bytes: encode('é') })).toBe('é')
    expect(await readSource({ name: 'a', bytes: encode('\ufeffé') })).toBe('é')
    expect(await readSource({ name: 'a', bytes: new Uint8Array() })).toBe('')
  })

  test('is decompressed if it starts like gzip', async () => {
    const text = 'rules: []\n'.repeat(10_000)
    expect(await readSource({ name: 'a', bytes: new Uint8Array(gzipSync(text)) })).toBe(text)
  })

  const utf16 = (text: string, bigEndian: boolean) => {
    const bytes = Buffer.from(text, 'utf16le')
    return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
  }
  const refused: Readonly<Record<string, readonly [Uint8Array, string, RegExp]>> = {
    'UTF-16 with a byte order mark': [
      utf16('\ufeffrules:', false),
      'not-text',
      /UTF-16 text: save the document as UTF-8/,
    ],
    'UTF-16 with a byte order mark, big-endian': [utf16('\ufeffrules:', true), 'not-text', /UTF-16/],
    'UTF-16 without a byte order mark': [utf16('rules:', false), 'not-text', /UTF-16/],
    'UTF-16 without a byte order mark, big-endian': [utf16('rules:', true), 'not-text', /UTF-16/],
    'Latin-1': [Uint8Array.of(0x61, 0x0a, 0xe9, 0x62), 'not-text', /not UTF-8 text/],
    'a program': [Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0xff), 'not-text', /binary data/],
    'zero bytes': [encode('rules: \0'), 'not-text', /binary data/],
    'gzip that is cut off': [
      new Uint8Array(gzipSync('rules: []'.repeat(100)).subarray(0, 30)),
      'broken-gzip',
      /damaged or cut off/,
    ],
    'gzip of something huge': [
      new Uint8Array(gzipSync(new Uint8Array(65 * 1024 * 1024))),
      'too-large',
      /unpacks to something larger than 64 MiB/,
    ],
    'something huge': [new Uint8Array(100 * 1000 * 1000), 'too-large', /larger than 64 MiB/],
  }
  for (const [name, [bytes, code, message]] of Object.entries(refused)) {
    test(`is rejected if it is ${name}`, async () => {
      await expect(readSource({ name: 'a', bytes })).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      })
    })
  }

  test('reports the position of a byte that is not UTF-8', async () => {
    const bytes = Uint8Array.of(0x61, 0x0a, 0xe9, 0x62)
    await expect(readSource({ name: 'a', bytes })).rejects.toMatchObject({ at: 2 })
  })
})
