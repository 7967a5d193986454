import { describe, expect, it } from 'vitest'
import { meter } from './evaluation.js'
import { compileJq } from './index.js'

const doubled = (times: number): string => `[.,.]${'|[.,.]'.repeat(times - 1)}`
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

// A small budget, so that the limit is reached quickly.
const SMALL = { budget: () => ({ steps: 50_000, bytes: 4 * 1024 * 1024, depth: 300 }) }

describe('a filter that would not terminate', () => {
  it.each([
    '[range(1e12)]',
    'def f: f; f',
    'def f: 1 + f; f',
    'def f: .+1 | f; f',
    'def f: f | .; f',
    'def f(x): f(x | x); f(.)',
    'def f: [f]; f',
    'def f: {a: f}; f',
    'def f: try f catch f; f',
    'def f: reduce f as $x (0; f); f',
    '[limit(1e9; repeat(1))]',
    'first(def f: f; f)',
    '(def f: 1 + f; f)?',
    'try (def f: f | .; f) catch 1',
    'until(false; .)',
    'while(true; .) | empty',
    '[recurse(.)]',
    'any(range(1e12); false)',
    'isempty(range(1e12) | select(false))',
    'last(range(1e12))',
    'reduce range(1e9) as $i (0; . + 1)',
    'foreach range(1e9) as $i (0; . + 1; empty)',
    'label $out | range(1e12) | if . < 0 then break $out else empty end',
    'INDEX(range(1e9); .)',
    '[range(0; 1; 1e-300)]',
    '[range(infinite)]',
  ])('reaches the limit: %s', (filter) => {
    expect(compileJq(filter, SMALL).matches('null')).toBe('limit')
    expect(meter.steps).toBeGreaterThan(-1000)
  })

  it('reaches the limit of the default budget too', () => {
    for (const filter of ['[range(1e12)]', 'def f: f; f', 'def f: 1 + f; f', '"x" * 1e9']) {
      expect(compileJq(filter).matches('null')).toBe('limit')
    }
  })
})

describe('a filter that would create too many values', () => {
  it.each([
    '"x" * 1e9',
    '"x" | until(length > 1e12; . + .)',
    '[1] | until(length > 1e12; . + .)',
    '[] | .[1e9] = 1',
    '("x" * 1e7) | explode',
    '("x" * 1e6) | gsub(""; "yyyyyyyyyyyyyyyy")',
    '("ab" * 1e6) | split("")',
    '[range(300)] | [combinations(4)]',
    'reduce range(1e6) as $i ({}; .[$i | tostring] = $i)',
    `${doubled(60)} | tojson`,
    `${doubled(60)} | flatten`,
    `${doubled(60)} | [..] | length`,
    `${doubled(60)} | [paths]`,
    `[${doubled(60)} | tostream]`,
    `${doubled(60)} | walk(.)`,
    `(${doubled(60)}) == (${doubled(60)})`,
  ])('reaches the limit: %s', (filter) => {
    expect(compileJq(filter, SMALL).matches('0')).toBe('limit')
    expect(compileJq(filter, SMALL).first('0')).toBeUndefined()
  })

  it('is accepted if what it makes is shared', () => {
    expect(compileJq(`${doubled(60)} | .[0][0][0] | length == 2`).matches('0')).toBe('match')
  })
})

describe('a regular expression', () => {
  const text = JSON.stringify('a'.repeat(60))

  it('takes linear time, whatever the pattern', () => {
    expect(compileJq('test("^(a+)+$")').matches(text)).toBe('match')
    expect(compileJq('test("(a*)*(a*)*b")').matches(text)).toBe('no match')
    expect(compileJq('test("^(a?){60}a{60}$")').matches(text)).toBe('match')
    expect(compileJq('[match("(a|aa)+b")] == []').matches(text)).toBe('match')
  })

  it('is refused if its repetitions multiply to more than can be compiled', () => {
    expect(() => compileJq('test("((a{100}){100}){100}")')).toThrow('the pattern is too large')
    expect(compileJq('test(.)').matches(JSON.stringify('((a{100}){100}){100}'))).toBe('no match')
  })

  it('reaches the limit when a long entry is searched again and again', () => {
    const long = JSON.stringify('a'.repeat(100_000))
    expect(compileJq('[match("a.*b|a"; "g")] | length > 0').matches(long)).toBe('limit')
    expect(compileJq('test("a.{5000}b.{5000}c")').matches(JSON.stringify('ab'.repeat(50_000)))).toBe('limit')
  })
})

describe('an entry that is nested deeply', () => {
  it.each([
    '[..] | length',
    'tojson',
    '[paths] | length',
    'flatten',
    '. == .',
    'path(..) | length',
    'del(..)?',
    'walk(.)',
  ])('never breaks a filter: %s', (filter) => {
    for (const levels of [10, 5000, 50_000]) {
      expect(['match', 'no match', 'limit']).toContain(compileJq(filter).matches(nested(levels)))
    }
  })

  it('is visited as deeply as in jq', () => {
    expect(compileJq('[..] | length == 5000').matches(nested(5000))).toBe('match')
    expect(compileJq('tojson | length == 18000').matches(nested(9000))).toBe('match')
  })
})

describe('a recursive call in tail position', () => {
  it('is a loop', () => {
    expect(compileJq('def f: if . >= 20000 then . else . + 1 | f end; 0 | f == 20000').matches('null')).toBe('match')
  })
})

describe('the budget', () => {
  it('grows with the entry and is restored for every entry', () => {
    const count = compileJq('[.[] | select(. >= 0)] | length > 0')
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, i) => i))
    for (let i = 0; i < 3; i++) expect(count.matches(text)).toBe('match')
  })

  it('can be set', () => {
    const options = { budget: () => ({ steps: 10, bytes: 1000, depth: 5 }) }
    expect(compileJq('[range(5)] | length == 5', options).matches('null')).toBe('match')
    expect(compileJq('[range(50)]', options).matches('null')).toBe('limit')
    expect(compileJq('"x" * 1000', options).matches('null')).toBe('limit')
    expect(compileJq('def f: 1 + f; f', options).matches('null')).toBe('limit')
  })
})
