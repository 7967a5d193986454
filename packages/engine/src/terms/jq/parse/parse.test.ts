import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TermError } from '../../condition.js'
import { compileJq, parseJq, planJq } from '../index.js'

/** The message and the offset of the error that a filter is refused with. */
function refusal(filter: string): [string, number] {
  try {
    compileJq(filter)
  } catch (error) {
    if (error instanceof TermError) return [error.message, error.offset]
    throw error
  }
  throw new Error(`not refused: ${filter}`)
}

describe('an invalid filter', () => {
  it.each<[string, string, number]>([
    ['', 'the filter is empty', 0],
    ['  # nothing', 'the filter is empty', 0],
    ['.a |', 'unexpected end of the filter after |', 4],
    ['.a | ', 'unexpected end of the filter after |', 5],
    ['.a == ', 'unexpected end of the filter after ==', 6],
    ['.a == 1 == 2', 'unexpected == after 1; put one side into parentheses', 8],
    ['[1, 2', 'unexpected end of the filter after 2; [ needs ]', 5],
    ['(.a', 'unexpected end of the filter after .a; ( needs )', 3],
    ['if .a then 1', 'unexpected end of the filter after 1; if needs end', 12],
    ['.a)', 'unexpected ) after .a', 2],
    ['.a b', 'unexpected b after .a', 3],
    ['"abc', 'this string is not closed', 0],
    ['"a\\(1"', 'this string is not closed', 5],
    ['"a\\qb"', 'invalid escape in this string', 2],
    ['.a & .b', 'unexpected character "&"', 3],
    ['foo', 'the function foo/0 does not exist', 0],
    ['.a | lenght', 'the function lenght/0 does not exist; did you mean length/0?', 5],
    ['test', 'the function test/0 does not exist; did you mean test/1 or test/2?', 0],
    ['def f(a): a; f', 'the function f/0 does not exist; did you mean f/1?', 13],
    ['$x', 'the variable $x does not exist', 0],
    ['. as [$a] | $b', 'the variable $b does not exist', 12],
    ['break $out', 'there is no label $out to break to', 0],
    ['{(1): 2}', 'number (1) cannot be a key of an object', 2],
    ['import "a" as a; .', 'import is not possible: a filter cannot use modules', 0],
    ['include "a"; .', 'include is not possible: a filter cannot use modules', 0],
    ['test("(")', 'the regular expression of test cannot be used: end pattern with unmatched parenthesis', 5],
    ['test("a"; "q")', 'the regular expression of test cannot be used: q is not a valid modifier string', 10],
    ['. as [] | 1', 'unexpected ] after [; as needs a $name, [ or {', 6],
    ['reduce .[] as $x (0)', 'unexpected ) after 0; reduce needs ;', 19],
    ['label x | 1', 'unexpected x after label; label needs a $name', 6],
  ])('is refused with a message and an offset: %s', (filter, message, offset) => {
    expect(refusal(filter)).toEqual([message, offset])
  })

  it('is refused if it is nested too deeply', () => {
    expect(refusal('('.repeat(10_000))[0]).toMatch('too deeply nested')
    expect(refusal(`${'-'.repeat(10_000)}1`)[0]).toMatch('too deeply nested')
    expect(refusal(`${'"\\('.repeat(5000)}1`)[0]).toMatch(/nested|not closed/)
    expect(refusal(`${'.a|'.repeat(50_000)}.`)[0]).toMatch(/too long/)
    expect(refusal(`1${'+1'.repeat(100_000)}`)[0]).toMatch(/too long/)
  })

  it('is accepted where it cannot fail: in a function that is not called, and where errors are caught', () => {
    expect(compileJq('def f: nothing; true').matches('1')).toBe('match')
    expect(compileJq('try test("(") catch true').matches('"a"')).toBe('match')
  })
})

describe('syntax and builtins of newer versions of jq', () => {
  it.each([
    '{a: 1 + 2, b: .x // 3} == {a: 3, b: 3}',
    '[reduce -.[]? as $x (0; . + $x)] == [0]',
    'if true then [1] else 2 end[0] == 1',
    '.a?//"x" == "x"',
    '("  x " | trim, ltrim, rtrim) | startswith("x") or endswith("x")',
    '[1 | toarray] == [[1]]',
    '([1, 2] | add(.[])) == 3',
    '[skip(1; 1, 2)] == [2]',
    '("xax" | trimstr("x")) == "a"',
    '("true" | toboolean)',
    '("aGk=" | @base64d) == "hi" and ("hi" | @base32 | @base32d) == "hi" and ("%41" | @urid) == "A"',
    '[{"a": [1]} | leaf_paths] == [["a", 0]]',
    'have_literal_numbers and have_decnum',
    '(65 | ascii) == "A"',
    '(try error("x") catch .) == "x"',
    'isvalid(1) and (isvalid(error) | not)',
  ])('are supported: %s', (filter) => {
    expect(compileJq(filter).matches('null')).toBe('match')
  })
})

describe('any string', () => {
  const words = fc.constantFrom(
    ...'.a .[] .. | , ( ) [ ] { } "x" \\( ) : ; $x as def f if then else end try catch reduce foreach label break'.split(
      ' ',
    ),
    ...'== != < // = |= += - + * / % and or not ? ?// 1 2.5e3 @base64 .[1:2] "a\\(1)b" # null test("a") $__loc__ .["b"]'.split(
      ' ',
    ),
  )
  it('is either a filter or refused with a TermError', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          planJq(parseJq(text))
          expect(['match', 'no match', 'limit']).toContain(compileJq(text).matches('{"a":[1,"x",null]}'))
        } catch (error) {
          expect(error).toBeInstanceOf(TermError)
          expect((error as TermError).offset).toBeLessThanOrEqual(text.length)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
