import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wrapped } from '../../../test/random-envelopes.js'
import { type Kernel, loadKernel } from '../kernel/kernel.js'
import { plainKernel } from '../kernel/plain-kernel.js'
import { DerivedTexts } from './derived.js'
import { messagesOf } from './messages.js'

const wasm = (await loadKernel())()
const plain = plainKernel()

const encoder = new TextEncoder()

/** Where a text is written: not at a multiple of 16, with bytes around it that must not be read as part of it. */
const PLACE = 64 + 5
const SIZE = 65_536
const places = new Map([wasm, plain].map((kernel) => [kernel, kernel.memory.allocate(SIZE) + PLACE]))

/** The texts that are derived from a text with escapes. */
function decoded(kernel: Kernel, bytes: Uint8Array): string[] {
  const start = places.get(kernel)!
  kernel.memory.u8.fill(92, start - PLACE, start - PLACE + SIZE)
  kernel.memory.u8.set(bytes, start)
  const derived = new DerivedTexts(kernel)
  derived.addDecoded(7, start, start + bytes.length)
  derived.store()
  expect(kernel.memory.u8.slice(start, start + bytes.length)).toEqual(bytes)
  return Array.from({ length: derived.count }, (_, index) => {
    expect(derived.entry(index)).toBe(7)
    return String.fromCharCode(...kernel.memory.u8.subarray(derived.start(index), derived.end(index)))
  })
}

const asBytes = (text: string) => String.fromCharCode(...encoder.encode(text))

const piece = fc.constantFrom(
  '"',
  '\\',
  '\\\\',
  '\\"',
  '\\n',
  '\\u',
  '\\u001b',
  '\\u00e9',
  '\\ud83d\\ude00',
  '[31m',
  ']8;;',
  '\\u0007',
  'a',
  '{',
  ' ',
  'disk is full',
)
const text = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  wrapped(fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))),
)

describe('texts that are derived from a text with escapes', () => {
  it.each([
    ['{"msg":"a\\u0020b\\n"}', ['{"msg":"a b\n"}']],
    ['{"log":"{\\"msg\\":\\"\\\\u0041\\"}"}', ['{"log":"{"msg":"\\u0041"}"}', '{"log":"{"msg":"A"}"}']],
    ['{"msg":"\\u001b[31mred\\u001b[0m"}', ['{"msg":"red"}']],
    ['{"msg":"\\u001b[31","b":"m"}', ['{"msg":"[31","b":"m"}']],
    ['C:\\data "a\\/b"', ['C:\\data "a/b"', 'C:\\data "a/b"', 'C:\\data "a/b"', 'C:\\data "a/b"']],
    ['no escapes', ['no escapes']],
  ])('%s', (text, expected) => {
    expect(decoded(plain, encoder.encode(text))).toEqual(expected.map(asBytes))
  })

  it('are the same on both kernels, for any bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text.map((one) => encoder.encode(one)),
          fc.uint8Array({ maxLength: 100 }),
        ),
        (bytes) => {
          expect(decoded(wasm, bytes)).toEqual(decoded(plain, bytes))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('contain the message of every JSON object', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 4 }), (inner, depth) => {
        let outer = inner
        for (let i = 0; i < depth; i++) outer = JSON.stringify({ a: '"', msg: outer })
        const [message] = messagesOf(outer)
        expect(decoded(wasm, encoder.encode(outer)).some((one) => one.includes(asBytes(message!)))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
