import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitize, sanitizeLines } from './sanitize.js'

describe('sanitize', () => {
  it.each([
    ['keeps plain text', 'disk full: größer 日本 👩‍👩‍👧', 'disk full: größer 日本 👩‍👩‍👧'],
    ['removes colours', '\u001b[1;31mERROR\u001b[0m disk', 'ERROR disk'],
    ['shows a sequence that sets the window title', '\u001b]0;owned\u0007', '␛]0;owned␇'],
    ['shows cursor movements', '\u001b[2J\u001b[H', '␛[2J␛[H'],
    ['shows line ends', 'one\r\ntwo', 'one␍␊two'],
    ['replaces a tab with a space', 'a\tb', 'a b'],
    ['replaces an 8-bit escape character', 'a\u009b31mb', 'a\ufffd31mb'],
    ['shows delete and backspace', 'a\u0008\u007f', 'a␈␡'],
    ['replaces a character that reverses text', 'abc\u202etxt.exe', 'abc\ufffdtxt.exe'],
    ['replaces half of a surrogate pair', 'a\ud83d', 'a\ufffd'],
    ['does not create a sequence by removing colours', '\u001b\u001b[31m[2J', '␛[2J'],
  ])('%s', (_, text, expected) => {
    expect(sanitize(text)).toBe(expected)
  })

  it('removes everything that a terminal interprets', () => {
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
