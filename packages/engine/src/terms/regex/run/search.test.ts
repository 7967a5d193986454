import { describe, expect, it } from 'vitest'
import { createRegexExtract, createRegexTest, parseRegex } from '../index.js'
import { buildAlphabet } from './alphabet.js'
import { createDfa } from './dfa.js'
import { compileProgram } from './program.js'
import { simulate } from './simulate.js'

describe('createRegexTest', () => {
  it.each([
    ['a.b', 'a\nb', true],
    ['(?-s)a.b', 'a\nb', false],
    ['^b', 'a\nb', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['(?m)^$', 'a\n\nb', true],
    ['a$', 'a\n', false],
    ['\\bfoo\\b', 'a foo.', true],
    ['\\bfoo\\b', 'a food', false],
    ['\\bé', 'xé', true],
    ['\\Boo\\B', 'food', true],
    ['^$', '', true],
    ['^$', '\n', false],
    ['\\s', '\v', false],
    ['\\s', '\u00a0', false],
    ['\\d', '٣', false],
    ['\\pN', '٣', true],
    ['(?i)straße', 'STRAẞE', true],
    ['(?i)k', '\u212a', true],
    ['(?i)S', 'ſ', true],
    ['(?i)i', 'İ', false],
    ['(?i)ΣΑΣ', 'σας', true],
    ['(?i)[^a]', 'A', false],
    ['(?i)[[:lower:]]', 'Q', true],
    ['^.$', '😀', true],
    ['^[😀-😂]$', '😁', true],
    ['[^x]', '😀', true],
    ['\\p{Greek}', 'alpha', false],
    ['\\P{^Greek}', 'λ', true],
    ['\\x{D800}', '\ud800', false],
    ['^\\x{FFFD}$', '\ud800', true],
    ['^..$', '\udc00\ud800', true],
  ])('%s on %j gives %s', (pattern, text, matches) => {
    expect(createRegexTest(pattern)(text)).toBe(matches)
  })

  it('compiles when it is first used', () => {
    const test = createRegexTest('(')
    expect(() => test('')).toThrow('missing closing )')
  })

  it('can be used repeatedly', () => {
    const test = createRegexTest('(?i)disk .*full$')
    expect(['Disk is full', 'full disk', 'disk  full', 'disk full.', 'DISK FULL'].map(test)).toEqual([
      true,
      false,
      true,
      false,
      true,
    ])
  })
})

describe('createRegexExtract', () => {
  it.each([
    ['user=(\\w+)', 'a user=root b user=x', 'root'],
    ['user=\\w+', 'a user=root b', 'user=root'],
    ['(?P<n>a+)|(b)', 'xaab', 'aa'],
    ['(a)|b', 'b', undefined],
    ['(a*)', 'b', ''],
    ['x(a*)', 'x', ''],
    ['nothing', 'b', undefined],
    ['(a+?)', 'aaa', 'a'],
    ['(?U)(a+)', 'aaa', 'a'],
    ['(a|ab)(c|bcd)', 'abcd', 'a'],
    ['(?:(a)|b)*', 'ab', 'a'],
    ['(a*)*', 'aa', 'aa'],
    ['(|a)*', 'aa', ''],
    ['(.)$', 'x😀', '😀'],
    ['at (\\d+:\\d+)', `${'x'.repeat(100_000)} at 12:34`, '12:34'],
    ['at (\\d+:\\d+)', 'x'.repeat(100_000), undefined],
  ])('%s', (pattern, text, taken) => {
    expect(createRegexExtract(pattern)(text)).toBe(taken)
  })
})

describe('patterns that make backtracking engines slow', () => {
  const text = 'xa'.repeat(20_000)

  it.each(['(a|aa)+$', '(x+x+)+y', '(?:(?:x?){30}){30}b', '(a*)*(a*)*b', 'x.{200}y', '([xa]*)*c', '(?i)(x.*){50}b'])(
    '%s',
    (pattern) => {
      expect(createRegexTest(pattern)(text)).toBe(pattern === '(a|aa)+$')
    },
  )

  it('are simulated when the automaton reaches its limits', () => {
    const program = compileProgram(parseRegex('x.{200}y'))
    const random = Array.from({ length: 5000 }, (_, i) => (Math.sin(i * i) < 0 ? 'x' : 'a')).join('')
    expect(createDfa(program, buildAlphabet(program)!)(random)).toBeUndefined()
    expect(simulate(program, `${random}x${'a'.repeat(200)}y`)).toBe(true)
    const test = createRegexTest('x.{200}y')
    for (let i = 0; i < 8; i++) expect(test(random)).toBe(false)
    expect(test(`x${'é'.repeat(200)}y`)).toBe(true)
  })

  it('are matched at every size that the parser accepts', () => {
    const nested = `${'(?:a|b'.repeat(300)}${')?'.repeat(300)}`
    const wide = Array.from({ length: 3000 }, (_, i) => String.fromCodePoint(0x4e00 + 2 * i)).join('|')
    expect(createRegexTest(`${nested}c`)('ac')).toBe(true)
    expect(createRegexTest(wide)('x\u4e02')).toBe(true)
    expect(createRegexTest(`(${wide})(${wide})`)('\u4e02\u4e03')).toBe(false)
    expect(createRegexExtract(`(?:${wide})(${wide})`)('\u4e02\u4e04')).toBe('\u4e04')
  })
})
