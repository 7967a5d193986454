import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineBuffer } from './line-buffer.js'

test('what is taken out is what was added, whatever its letters and however long', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('x'.repeat(100_000))))),
      (turns) => {
        const buffer = createLineBuffer(Number.POSITIVE_INFINITY)
        for (const lines of turns) {
          for (const line of lines) buffer.add(line)
          expect(buffer.isEmpty()).toBe(lines.join('') === '')
          expect(buffer.take().toString()).toBe(lines.join(''))
          expect(buffer.isEmpty()).toBe(true)
        }
      },
    ),
  )
})

test('a line that is more than may wait is left out as a whole', () => {
  const buffer = createLineBuffer(10)
  for (const line of ['four', 'ünëxï', 'more', 'a', '!', 'b']) buffer.add(line)
  // Five letters of eight bytes would be twelve with the first line; two more letters make ten.
  expect(buffer.take().toString()).toBe('fourmorea!')
  buffer.add('elevenbytes')
  expect(buffer.isEmpty()).toBe(true)
})

test('lines that were taken out stay while the next ones are added', () => {
  const buffer = createLineBuffer(1_000)
  buffer.add('first')
  const first = buffer.take()
  buffer.add('second')
  expect(first.toString()).toBe('first')
  const second = buffer.take()
  expect(second.toString()).toBe('second')
})
