import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPaint } from './paint.js'
import { pad, truncate, truncateMiddle, visibleWidth } from './width.js'

const paint = createPaint(true)

describe('visibleWidth', () => {
  it.each([
    ['plain text', 'disk full', 9],
    ['nothing', '', 0],
    ['colours', paint('critical', 'disk'), 4],
    ['accented letters', 'größer', 6],
    ['Chinese, Japanese and Korean', '日本 アプリ 한국', 16],
    ['half-width katakana', 'ｱﾌﾟﾘ', 4],
    ['full-width letters', 'Ａ１', 4],
    ['an emoji', '🔥', 2],
    ['an emoji of several characters', '👩‍👩‍👧', 2],
    ['an emoji with a skin tone', '👍🏽', 2],
    ['a symbol with an emoji selector', '⚠️', 2],
    ['a flag', '🇯🇵', 2],
    ['a combining accent', 'e\u0301', 1],
    ['a lone combining accent', '\u0301', 0],
    ['a zero-width space', 'a\u200bb', 2],
    ['Korean in single letters', '\u1112\u1161\u11ab', 2],
    ['a soft hyphen, which terminals show', 'a\u00adb', 3],
    ['a character outside the basic plane', '𠮷', 2],
  ])('counts the columns of %s', (_, text, width) => {
    expect(visibleWidth(text)).toBe(width)
  })
})

describe('truncate', () => {
  it.each([
    ['keeps a string that fits', 'disk full', 9, 'disk full'],
    ['cuts a string that does not fit', 'disk full', 8, 'disk fu…'],
    ['returns nothing for 0 columns', 'disk', 0, ''],
    ['returns an ellipsis for one column', 'disk', 1, '…'],
    ['does not cut a wide character in half', '日本語', 4, '日…'],
    ['keeps an accent with its letter', 'e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['does not cut an emoji', 'a👩‍👩‍👧bc', 4, 'a👩‍👩‍👧…'],
  ])('%s', (_, text, columns, expected) => {
    expect(truncate(text, columns)).toBe(expected)
  })

  it('closes open colours', () => {
    const text = `${paint('critical', 'disk full')} now`
    expect(truncate(text, 5)).toBe('\u001b[1;31mdisk…\u001b[22;39m')
  })

  it('never returns more columns than allowed', () => {
    const text = fc
      .array(fc.constantFrom('a', '日', '👍🏽', 'e\u0301', '\u001b[31m', '⚠️', ' '))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.nat(30), (text, columns) => {
        expect(visibleWidth(truncate(text, columns))).toBeLessThanOrEqual(columns)
        expect(visibleWidth(truncateMiddle(text.replaceAll('\u001b[31m', ''), columns))).toBeLessThanOrEqual(columns)
      }),
    )
  })
})

it('truncateMiddle keeps the end of a path', () => {
  expect(truncateMiddle('Reading /var/log/kafka/server.log', 24)).toBe('Reading…kafka/server.log')
  expect(truncateMiddle('short', 24)).toBe('short')
})

it('pad counts columns, not characters', () => {
  expect(pad('日本', 6)).toBe('日本  ')
  expect(pad('12', 4, 'right')).toBe('  12')
  expect(pad('longer', 3)).toBe('longer')
})
