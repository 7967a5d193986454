import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitize, sanitizeLines } from './sanitize.js'

describe('sanitize', () => {
  it.each([
    ['plain text stays', 'disk full: größer 日本 👩‍👩‍👧', 'disk full: größer 日本 👩‍👩‍👧'],
    ['colours are taken out', '\u001b[1;31mERROR\u001b[0m disk', 'ERROR disk'],
    ['a title of the window is shown, not set', '\u001b]0;owned\u0007', '␛]0;owned␇'],
    ['a cursor movement is shown', '\u001b[2J\u001b[H', '␛[2J␛[H'],
    ['a line stays a line', 'one\r\ntwo', 'one␍␊two'],
    ['a tab is a blank', 'a\tb', 'a b'],
    ['an 8-bit escape', 'a\u009b31mb', 'a\ufffd31mb'],
    ['delete and backspace', 'a\u0008\u007f', 'a␈␡'],
    ['text that runs backwards', 'abc\u202etxt.exe', 'abc\ufffdtxt.exe'],
    ['half of a character', 'a\ud83d', 'a\ufffd'],
    ['colours inside of what remains do not make a new sequence', '\u001b\u001b[31m[2J', '␛[2J'],
  ])('%s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected)
  })

  it('removes everything that a terminal acts on', () => {
    const text = fc.string({
      unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), fc.constantFrom('\u001b', '[', 'm', '\n', ']')),
    })
    fc.assert(
      fc.property(text, (text) => {
        expect(sanitize(text)).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
        expect(sanitizeLines(text).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })
})

describe('sanitizeLines', () => {
  it('keeps lines, and normalizes line ends', () => {
    expect(sanitizeLines('one\r\ntwo\nthree\u0007')).toBe('one\ntwo\nthree␇')
  })

  it('expands tabs to the stops of a terminal', () => {
    expect(sanitizeLines('\tat a\n12345678\tb\n1\t2\t3')).toBe('        at a\n12345678        b\n1       2       3')
  })
})
