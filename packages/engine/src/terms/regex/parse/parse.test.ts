import { describe, expect, it } from 'vitest'
import { TermError } from '../../condition.js'
import { parseRegex } from '../index.js'

function refusal(pattern: string): Pick<TermError, 'code' | 'offset' | 'message'> | undefined {
  try {
    parseRegex(pattern)
    return undefined
  } catch (error) {
    if (error instanceof TermError) return error
    throw error
  }
}

describe('patterns that Go accepts are accepted', () => {
  it.each([
    // Text, and syntax that is plain text in its position.
    [
      '',
      'a',
      'abc',
      'é😀',
      ']',
      '}',
      'a]',
      'a}',
      '{',
      'a{',
      'a{,2}',
      'a{1',
      'a{1,',
      'a{x}',
      'a{01}',
      'a{1,02}',
      '{}',
      ',',
    ],
    // Escapes.
    [
      '\\.',
      '\\-',
      '\\_',
      '\\ ',
      '\\a\\f\\n\\r\\t\\v',
      '\\x41',
      '\\x{41}',
      '\\x{0000000041}',
      '\\x{10FFFF}',
      '\\0',
      '\\08',
      '\\12',
      '\\123',
      '\\777',
    ],
    ['\\d\\D\\s\\S\\w\\W', '\\b\\B\\A\\z', '\\Qa.b*\\E', '\\Qa.b', '\\Q\\E', '\\Qab\\E*', '\\Q\\\\E'],
    ['\\pL', '\\PL', '\\p{L}', '\\p{Lu}', '\\p{Greek}', '\\p{^Greek}', '\\P{^Greek}', '\\p{Any}', '\\x{D800}'],
    // Names regardless of case, spaces, _ and -, and long names of categories.
    [
      '\\p{greek}',
      '\\p{letter}',
      '\\p{Lowercase_Letter}',
      '\\p{lowercase letter}',
      '\\p{ASCII}',
      '\\p{Assigned}',
      '\\p{LC}',
      '\\p{Old_Italic}',
    ],
    // Classes.
    [
      '[a]',
      '[abc]',
      '[a-z]',
      '[^a-z]',
      '[]a]',
      '[^]a]',
      '[]-a]',
      '[-a]',
      '[a-]',
      '[a\\-z]',
      '[\\d-z]',
      '[\\n\\]]',
      '[\\x41-\\x5A]',
      '[^\\n]',
    ],
    [
      '[[:alpha:]]',
      '[[:^alpha:]]',
      '[[:word:][:space:]]',
      '[\\pL\\d]',
      '[[:alpha]',
      '[[:]]',
      '[:alpha:]',
      '[[a]',
      '[&&a]',
    ],
    // Groups and flags.
    [
      '()',
      '(|)',
      '(a)',
      '(?:a)',
      '(?P<name>a)',
      '(?<name>a)',
      '(?P<_1>a)',
      '(?P<n>a)(?P<n>b)',
      '(?i)a',
      '(?i:a)',
      '(?imsU-imsU:a)',
      '(?-s).',
      '(?)',
      '(?:)',
      '(?i-s)',
    ],
    // Repetitions.
    [
      'a*',
      'a+',
      'a?',
      'a*?',
      'a+?',
      'a??',
      'a{2}',
      'a{2,}',
      'a{2,3}',
      'a{2,3}?',
      'a{0}',
      'a{0,0}',
      'a{1000}',
      '^*',
      '$+',
      '\\b?',
      '()*',
      '(|a)*',
      '(?:a*)*',
    ],
    [
      '(?:a{10}){100}',
      '(?:(?:a{10}){10}){10}',
      '(?:a{1000}){0}',
      '(?:a{1000}){1}',
      '(?:a{1000})*',
      'a*(?i)*',
      'a*\\Q\\E*',
    ],
    // Alternatives.
    ['a|b', 'a|', '|a', '|', '||', '(a|b|)', '^a|b$'],
  ])('such as %s', (...patterns) => {
    for (const pattern of patterns) expect(refusal(pattern), pattern).toBeUndefined()
  })
})

describe('patterns that Go refuses are refused with a code and an offset', () => {
  it.each([
    ['a(b', 'regex-unclosed-group', 1],
    ['((a)', 'regex-unclosed-group', 0],
    ['a)', 'regex-unopened-group', 1],
    ['(a))', 'regex-unopened-group', 3],
    ['x[a', 'regex-unclosed-class', 1],
    ['[', 'regex-unclosed-class', 0],
    ['[]', 'regex-unclosed-class', 0],
    ['[^]', 'regex-unclosed-class', 0],
    ['[a-', 'regex-unclosed-class', 0],
    ['x[z-a]', 'regex-range', 2],
    ['[a-\\d]', 'regex-escape', 3],
    ['[[:foo:]]', 'regex-class', 1],
    ['[[:a]x:]]', 'regex-class', 1],
    ['\\p{Foo}', 'regex-property', 0],
    ['\\p{Gree\u212a}', 'regex-property', 0],
    ['\\p{}', 'regex-property', 0],
    ['a\\p', 'regex-property', 1],
    ['\\p{Greek', 'regex-property', 0],
    ['\\pé', 'regex-property', 0],
    ['\\p^L', 'regex-property', 0],
    ['a\\', 'regex-trailing-backslash', 1],
    ['\\y', 'regex-escape', 0],
    ['\\é', 'regex-escape', 0],
    ['\\C', 'regex-escape', 0],
    ['\\Z', 'regex-escape', 0],
    ['\\E', 'regex-escape', 0],
    ['\\u20AC', 'regex-escape', 0],
    ['\\x4', 'regex-escape', 0],
    ['\\x{}', 'regex-escape', 0],
    ['\\x{110000}', 'regex-escape', 0],
    [`\\x{${'F'.repeat(400)}}`, 'regex-escape', 0],
    ['(a)\\1', 'regex-back-reference', 3],
    ['\\18', 'regex-back-reference', 0],
    ['\\k<n>', 'regex-back-reference', 0],
    ['(?P=n)', 'regex-back-reference', 0],
    ['a(?=b)', 'regex-look-around', 1],
    ['a(?!b)', 'regex-look-around', 1],
    ['(?<=a)b', 'regex-look-around', 0],
    ['(?<!a)b', 'regex-look-around', 0],
    ['(?>a)', 'regex-group', 0],
    ['(?#a)', 'regex-group', 0],
    ["(?'n'a)", 'regex-group-name', 0],
    ['(?P<>a)', 'regex-group-name', 0],
    ['(?P<a-b>c)', 'regex-group-name', 0],
    ['(?<n', 'regex-group-name', 0],
    ['(?<é>a)', 'regex-group-name', 0],
    ['(?', 'regex-flags', 0],
    ['(?i', 'regex-flags', 0],
    ['(?x)a', 'regex-flags', 0],
    ['(?i-)a', 'regex-flags', 0],
    ['(?i--s)a', 'regex-flags', 0],
    ['(?P', 'regex-flags', 0],
    ['*', 'regex-repeat-nothing', 0],
    ['a|*', 'regex-repeat-nothing', 2],
    ['(*)', 'regex-repeat-nothing', 1],
    ['(?i)*', 'regex-repeat-nothing', 4],
    ['{2}', 'regex-repeat-nothing', 0],
    ['a**', 'regex-repeat-nested', 1],
    ['a*+', 'regex-repeat-nested', 1],
    ['a??*', 'regex-repeat-nested', 1],
    ['a{2}{3}', 'regex-repeat-nested', 1],
    ['a{1001}', 'regex-repeat-count', 1],
    ['a{2,1}', 'regex-repeat-count', 1],
    ['a{99999999999999999999}', 'regex-repeat-count', 1],
    [`a{1,${'9'.repeat(400)}}`, 'regex-repeat-count', 1],
    ['(?:a{10}){101}', 'regex-repeat-count', 9],
    ['(?:a{2}|b{501}){2}', 'regex-repeat-count', 15],
    ['a\ud800', 'regex-text', 1],
  ])('%s', (pattern, code, offset) => {
    expect(refusal(pattern)).toMatchObject({ code, offset })
  })

  it('explains what is wrong', () => {
    expect(refusal('a(?=b)')?.message).toBe('look-ahead (?= is not supported: RE2 patterns match in linear time')
    expect(refusal('(a)\\1')?.message).toBe('back-reference \\1 is not supported: RE2 patterns match in linear time')
    expect(refusal('(a')?.message).toBe('missing closing )')
    expect(refusal('x[z-a]')?.message).toContain('z-a')
    expect(refusal('x**')?.message).toContain('**')
    expect(refusal(`\\p{${'long'.repeat(100)}}`)?.message.length).toBeLessThan(200)
  })
})

describe('hostile patterns', () => {
  it('are refused when they are too long', () => {
    expect(refusal('a'.repeat(65_536))).toBeUndefined()
    expect(refusal('a'.repeat(65_537))).toMatchObject({ code: 'regex-too-long' })
  })

  it('are refused when they nest too deeply, without running out of stack', () => {
    expect(refusal(`${'('.repeat(999)}a${')'.repeat(999)}`)).toBeUndefined()
    expect(refusal(`${'('.repeat(1000)}a${')'.repeat(1000)}`)).toMatchObject({ code: 'regex-too-deep' })
    expect(refusal(`${'(?:'.repeat(1000)}a${')?'.repeat(1000)}`)).toMatchObject({ code: 'regex-too-deep' })
    expect(refusal('('.repeat(65_536))).toMatchObject({ code: 'regex-unclosed-group' })
  })

  it('may have any number of nested groups that do not capture', () => {
    expect(parseRegex(`${'(?:'.repeat(10_000)}a${')'.repeat(10_000)}`)).toEqual({
      kind: 'literal',
      text: 'a',
      fold: false,
    })
  })

  it('are refused when their repetitions multiply too far', () => {
    expect(refusal(`(?:${'a'.repeat(60_000)}){1000}`)).toMatchObject({ code: 'regex-too-large' })
    expect(refusal('(?:a{1000})'.repeat(1000))).toMatchObject({ code: 'regex-too-large' })
  })

  it('are parsed in linear time', () => {
    for (const part of ['[[:', '(?i)', '\\Q\\E', 'a|', '[a]', '(?:', '\\p{L}', '{', '(?i:[é-ü])']) {
      refusal(part.repeat(65_536 / part.length))
    }
  })
})

describe('the tree', () => {
  it('applies flags from where they appear up to the end of their group', () => {
    expect(parseRegex('a(?i)b|(?-i:c)d')).toEqual({
      kind: 'alternate',
      nodes: [
        {
          kind: 'concat',
          nodes: [
            { kind: 'literal', text: 'a', fold: false },
            { kind: 'literal', text: 'b', fold: true },
          ],
        },
        {
          kind: 'concat',
          nodes: [
            { kind: 'literal', text: 'c', fold: false },
            { kind: 'literal', text: 'd', fold: true },
          ],
        },
      ],
    })
  })

  it('lets the dot match line breaks unless (?-s) is set', () => {
    expect(parseRegex('.')).toEqual({ kind: 'any', newline: true })
    expect(parseRegex('(?-s).')).toEqual({ kind: 'any', newline: false })
  })

  it('repeats the last character only, and whole groups', () => {
    const [first, second] = [parseRegex('ab*'), parseRegex('(?:ab)*?')]
    expect(first).toMatchObject({
      nodes: [{ text: 'a' }, { kind: 'repeat', node: { text: 'b' }, min: 0, max: Infinity, greedy: true }],
    })
    expect(second).toMatchObject({ kind: 'repeat', node: { text: 'ab' }, greedy: false })
    expect(parseRegex('ab(?s)*')).toMatchObject({ nodes: [{ text: 'a' }, { node: { text: 'b' } }] })
    expect(parseRegex('x😀+')).toMatchObject({ nodes: [{ text: 'x' }, { node: { text: '😀' } }] })
  })

  it('folds a class before it negates it', () => {
    expect(parseRegex('(?i)[^k]')).toMatchObject({
      set: { ranges: [0x4b, 0x4b, 0x6b, 0x6b, 0x212a, 0x212a], negated: true },
    })
  })
})
