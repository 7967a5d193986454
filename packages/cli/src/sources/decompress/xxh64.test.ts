import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChecksum } from './xxh64.js'

function checksum(...pieces: readonly Uint8Array[]): number {
  const sum = createChecksum()
  for (const piece of pieces) sum.update(piece)
  return sum.digest()
}

// What the zstd tool writes behind these texts: the low half of XXH64.
it.each([
  ['', 0x51d8e999],
  ['a', 0xa98c6e5b],
  ['abc', 0xad770999],
  ['a longer text, of more than two stripes of thirty-two bytes each, and some', 0x2201375c],
])('is the checksum of %j', (text, expected) => {
  expect(checksum(Buffer.from(text)).toString(16)).toBe(expected.toString(16))
})

it('does not depend on how the data is cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), fc.nat(300), (bytes, a, b) => {
      const [first, second] = [Math.min(a, b), Math.max(a, b)]
      const pieces = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
      expect(checksum(...pieces)).toBe(checksum(bytes))
    }),
  )
})
