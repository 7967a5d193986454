import { describe, expect, it } from 'vitest'
import { TermError } from '../../condition.js'
import { compileJq } from '../index.js'
import { parseOnig } from './parse.js'

/** Every construct of Oniguruma that cannot be matched in linear time, and the beginning of the message about it. */
const UNSUPPORTED = [
  ['a(?=b)', 'look-ahead (?=…) is not supported: match the text itself'],
  ['a(?!b)', 'negative look-ahead (?!…) is not supported: exclude it with a second test'],
  ['(?<=a)b', 'look-behind (?<=…) is not supported: match the text itself'],
  ['(?<!a)b', 'negative look-behind (?<!…) is not supported: exclude it with a second test'],
  ['(a)\\1', 'back-reference \\1 is not supported: capture both parts and compare them with =='],
  ['(a)(?:b)(c)\\2', 'back-reference \\2 is not supported'],
  ['(?<q>a)\\k<q>', 'back-reference \\k<q> is not supported'],
  ["(?<q>a)\\k'q'", "back-reference \\k'q' is not supported"],
  ['(?>a)b', 'atomic group (?>…) is not supported: write (?:…)'],
  ['a++b', 'possessive repetition ++ is not supported: write + without the +'],
  ['a*+', 'possessive repetition *+ is not supported'],
  ['a?+', 'possessive repetition ?+ is not supported'],
  ['a{2,3}+', 'possessive repetition {2,3}+ is not supported'],
  ['a\\Kb', '\\K (keep) is not supported: put the part that you need into a group'],
  ['\\X', '\\X (a character with its combining marks) is not supported: write (?:\\P{M}\\p{M}*)'],
  ['\\y', '\\y (the edge of a text segment) is not supported'],
  ['\\Y', '\\Y (the inside of a text segment) is not supported'],
  ['a(?~b)', 'absent operator (?~…) is not supported'],
  ['(a)(?(1)b|c)', 'conditional (?(…)…) is not supported: write the cases as alternatives'],
  ['\\g<1>(a)', 'subexpression call \\g<1> is not supported: repeat the pattern of that group'],
  ['(?1)(a)', 'subexpression call (?1) is not supported'],
  ['(?&n)(?<n>a)', 'subexpression call (?&n) is not supported'],
  ['(?{x})a', 'callout (?{…}) is not supported'],
  ['(*FAIL)', 'callout (*…) is not supported'],
] as const

describe('a pattern that cannot be matched in linear time', () => {
  it.each(UNSUPPORTED)('is refused by name: %s', (pattern, message) => {
    expect(() => parseOnig(pattern, '')).toThrow(TermError)
    expect(() => parseOnig(pattern, '')).toThrow(message)
  })

  it.each(['test', 'match', 'capture', 'scan', 'splits'])('is refused when a filter with %s is compiled', (name) => {
    const filter = `.msg | ${name}("a(?=b)")`
    expect(() => compileJq(filter)).toThrow(
      expect.objectContaining({
        code: 'jq-regex',
        offset: filter.indexOf('"'),
        message: expect.stringContaining(`the regular expression of ${name} cannot be used: look-ahead (?=…)`),
      }),
    )
  })

  it('is refused within try too, because jq would run it', () => {
    expect(() => compileJq('try test("a(?=b)") catch false')).toThrow('look-ahead')
    expect(() => compileJq('sub("(a)\\\\1"; "b")?')).toThrow('back-reference')
    expect(() => compileJq('try test("(") catch false')).not.toThrow()
  })

  it('is an error at run time if the filter computes it', () => {
    const filter = compileJq('try (. as $pattern | "ab" | test($pattern)) catch .')
    expect(filter.first('"a(?=b)"')).toMatch(/^Regex failure: look-ahead \(\?=…\) is not supported/)
  })
})
