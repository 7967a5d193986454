import { describe, expect, it } from 'vitest'
import { compileJq, findJqFlaw } from './index.js'

describe('an entry', () => {
  it('matches when an output is neither null nor false', () => {
    expect(compileJq('.a').matches('{"a":0}')).toBe('match')
    expect(compileJq('.a').matches('{"a":""}')).toBe('match')
    expect(compileJq('.a').matches('{"a":null}')).toBe('no match')
    expect(compileJq('.a').matches('{"a":false}')).toBe('no match')
    expect(compileJq('empty').matches('{}')).toBe('no match')
    expect(compileJq('null, false, 1').matches('{}')).toBe('match')
  })

  it('does not match when an error ends the filter, even after such an output', () => {
    expect(compileJq('.a.b').matches('{"a":1}')).toBe('no match')
    expect(compileJq('1, error("x")').matches('{}')).toBe('no match')
    expect(compileJq('.[] | test("a")').matches('["a",1]')).toBe('no match')
    expect(compileJq('.[] | strings | test("a")').matches('["a",1]')).toBe('match')
    expect(compileJq('1, halt, error("x")').matches('{}')).toBe('match')
    expect(compileJq('1, halt_error').matches('{}')).toBe('no match')
  })

  it('does not match unless it is one JSON value, with optional white space around it', () => {
    const { matches } = compileJq('true')
    for (const text of ['{}', ' {"a":1}\n', '1', '-0.5e3', '"x"', 'null', 'true', '[]', '\uFEFF{}']) {
      expect(matches(text)).toBe('match')
    }
    for (const text of [
      '',
      ' ',
      'x',
      '{',
      '{"a":1',
      '{} {}',
      '{},',
      '[1,]',
      '01',
      '2024-01-01 12:00:00',
      "{'a':1}",
      'nan',
      '"a',
    ]) {
      expect(matches(text)).toBe('no match')
    }
    expect(matches('"\\ud83d"')).toBe('no match')
    expect(matches('"\\ud83d\\ude00"')).toBe('match')
  })

  it('has the same value for every filter', () => {
    const text = '{"1":"x","a":13911860366432393}'
    const filters = [
      '.a == 13911860366432393',
      'keys_unsorted[0] == "1"',
      '."1" == "x"',
      '.a > 1',
      'tojson | endswith("393}")',
    ]
    for (const filter of [...filters, ...filters])
      expect([filter, compileJq(filter).matches(text)]).toEqual([filter, 'match'])
  })
})

describe('numbers', () => {
  it('are compared as they are written', () => {
    const { matches } = compileJq('.n == 13911860366432393')
    expect(matches('{"n":13911860366432393}')).toBe('match')
    expect(matches('{"n":13911860366432392}')).toBe('no match')
    expect(compileJq('.n > 500').matches('{"n":500.00000000000000001}')).toBe('match')
    expect(compileJq('.n == 500').matches('{"n":500.00000000000000001}')).toBe('no match')
    expect(compileJq('.n == 500').matches('{"n":5.00e2}')).toBe('match')
    expect(compileJq('500 < .n').matches('{"n":500}')).toBe('no match')
  })

  it('that are NaN are null in an output', () => {
    expect(compileJq('nan').matches('0')).toBe('no match')
    expect(compileJq('nan').first('0')).toBeUndefined()
    expect(compileJq('[nan]').first('0')).toBe('[null]')
  })
})

describe('the first output', () => {
  it('is a string as it is and anything else as compact JSON', () => {
    expect(compileJq('.a').first('{"a":"x \\"y\\""}')).toBe('x "y"')
    expect(compileJq('.a').first('{"a":{"b":[1, 2.50, true]}}')).toBe('{"b":[1,2.50,true]}')
    expect(compileJq('.a').first('{"a":false}')).toBe('false')
    expect(compileJq('.[]').first('{"z":1,"2":2,"1":3}')).toBe('1')
    expect(compileJq('.').first('{"z":1,"2":2,"1":3}')).toBe('{"z":1,"2":2,"1":3}')
    expect(compileJq('.id').first('{"id":12345678901234567890}')).toBe('12345678901234567890')
  })

  it('is undefined when it is null, or missing, or an error comes before it', () => {
    expect(compileJq('.a').first('{}')).toBeUndefined()
    expect(compileJq('empty').first('{}')).toBeUndefined()
    expect(compileJq('error("x"), 1').first('{}')).toBeUndefined()
    expect(compileJq('1').first('no JSON')).toBeUndefined()
    expect(compileJq('1, error("x")').first('{}')).toBe('1')
  })
})

describe('the environment of a filter', () => {
  it('has no variables, no further inputs and no modules, and its clock is an option', () => {
    expect(compileJq('$ENV, env').first('0')).toBe('{}')
    expect(compileJq('[inputs] == [] and (try input catch "none") != 0').matches('0')).toBe('match')
    expect(compileJq('now').first('0')).toBe('0')
    expect(compileJq('now | todate', { now: () => 1425599621 }).first('0')).toBe('2015-03-05T23:53:41Z')
    expect(compileJq('0 | localtime == gmtime').matches('0')).toBe('match')
  })

  it('does not expose the prototype of JavaScript objects', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(compileJq(`.${key}`).matches('{}')).toBe('no match')
      expect(compileJq(`has("${key}")`).matches('{}')).toBe('no match')
      expect(compileJq(`.${key} == 1`).matches(`{"${key}":1}`)).toBe('match')
      expect(compileJq(`(.${key} = 1) | to_entries`).first('{}')).toBe(`[{"key":"${key}","value":1}]`)
    }
    expect(compileJq('.["\\("__proto__")"].polluted = 1').first('{}')).toBe('{"__proto__":{"polluted":1}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('the author of a filter is told', () => {
  const flawOf = (filter: string) => {
    // Only what jq accepts is a flaw: everything else is refused.
    compileJq(filter)
    const flaw = findJqFlaw(filter)
    return flaw && `${flaw.offset}: ${flaw.message}`
  }

  it.each([
    [
      'that a function that is never called uses a name that does not exist',
      'def old: .age > $limit; .level == "error"',
      '16: the variable $limit does not exist (old/0 is never called)',
    ],
    [
      'the same of a function inside another one',
      'def f: def g(x): contians(x); .a; f',
      '17: the function contians/1 does not exist; did you mean contains/1? (g/1 is never called)',
    ],
    [
      'that a format does not exist',
      '.msg | @bas64 == "eA=="',
      '7: the format @bas64 does not exist: the filter ends in an error here',
    ],
    [
      'that the format of a string does not exist',
      '@jsn "\\(.a)" == "1"',
      '0: the format @jsn does not exist: the filter ends in an error here',
    ],
    ['that there is one entry', '[., input] | .[1].a', '4: input is always an error: a rule sees one entry at a time'],
    ['that there is one entry', 'first(inputs)', '6: inputs is always empty: a rule sees one entry at a time'],
    [
      'that there is no environment',
      '.host == $ENV.HOST',
      '9: $ENV is always empty: a rule does not depend on the environment',
    ],
    [
      'that there is no environment',
      '.host == env.HOST',
      '9: env is always empty: a rule does not depend on the environment',
    ],
  ])('%s: %s', (_, filter, flaw) => {
    expect(flawOf(filter)).toBe(flaw)
  })

  it.each([
    'def old: .age > 5; .level == "error"',
    'def f($x; g): $x + g; .a == 1',
    'def f: if . > 0 then . - 1 | f else . end; .a',
    'try @bas64 catch false',
    '[.. | strings] | any(test("timeout"))',
    '[limit(3; .[])] | length',
    'def input: .a; input',
    '. as $ENV | $ENV.a',
  ])('nothing about %s', (filter) => {
    expect(flawOf(filter)).toBeUndefined()
  })

  it('at once that flags are wrong, even if the pattern is computed', () => {
    expect(() => compileJq('.a | test(.b; "q")')).toThrow(
      expect.objectContaining({ message: expect.stringContaining('q is not a valid modifier string'), offset: 14 }),
    )
  })
})
