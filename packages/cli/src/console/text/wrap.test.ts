import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visibleWidth } from './width.js'
import { wrap } from './wrap.js'

it.each([
  ['breaks text at spaces', 'Broker is out of disk space', 16, '', 'Broker is out of\ndisk space'],
  ['indents every line', 'Broker is out of disk space', 16, '  ', '  Broker is out\n  of disk space'],
  ['keeps line breaks', 'one\n\ntwo', 16, '  ', '  one\n\n  two'],
  ['joins several spaces', 'a   b', 16, '', 'a b'],
  [
    'does not break an address',
    'see https://example.com/a/long/path now',
    16,
    '',
    'see\nhttps://example.com/a/long/path\nnow',
  ],
  ['breaks scripts without spaces', 'ディスクの空き容量がありません。', 12, '', 'ディスクの空\nき容量があり\nません。'],
  ['returns nothing for an empty string', '', 16, '  ', ''],
])('wrap %s', (_, text, columns, indent, expected) => {
  expect(wrap(text, columns, indent)).toBe(expected)
})

it('wrap returns no line that is too wide, except for a single word', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/)
  fc.assert(
    fc.property(fc.array(word), fc.integer({ min: 1, max: 40 }), (words, columns) => {
      const lines = wrap(words.join(' '), columns).split('\n')
      for (const line of lines) expect(visibleWidth(line) <= columns || !line.includes(' ')).toBe(true)
      expect(lines.join(' ')).toBe(words.join(' '))
    }),
  )
})
