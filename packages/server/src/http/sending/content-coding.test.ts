import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { chooseCoding, encode } from './content-coding.js'

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['GZIP', 'gzip'],
  ['gzip;q=nonsense', undefined],
  ['deflate', undefined],
  ['', undefined],
  [undefined, undefined],
])('the coding for the Accept-Encoding %j is chosen', (accepted, coding) => expect(chooseCoding(accepted)).toBe(coding))

test('compressed responses can be decompressed, and short ones are not compressed', async () => {
  const long = Buffer.from('omen '.repeat(200))
  const unpacked = {
    br: brotliDecompressSync((await encode(long, 'br')).bytes),
    gzip: gunzipSync((await encode(long, 'gzip')).bytes),
  }
  expect(long.equals(unpacked.br) && long.equals(unpacked.gzip)).toBe(true)
  expect(await encode(Buffer.from('{}'), 'br')).toEqual({ bytes: Buffer.from('{}'), coding: undefined })
})
