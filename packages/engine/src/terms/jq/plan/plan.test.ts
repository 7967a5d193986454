import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../condition.js'
import { compileJq, parseJq, planJq } from '../index.js'

const textsOf = (filter: string): string[] | null =>
  planJq(parseJq(filter))?.map(({ needles }) => needles[0]!.text + (needles[0]!.fold ? '/i' : '')) ?? null

describe('the plan of a filter', () => {
  it.each<[string, string[]]>([
    ['.level == "error"', ['error']],
    ['"error" == .level', ['error']],
    ['select(.a.b == "x" and .c == "hello")', ['hello']],
    ['.level == "error" or .level == "warn"', ['error', 'warn']],
    ['.level | IN("error", "warn")', ['error', 'warn']],
    ['.msg | contains("disk full")', ['disk full']],
    ['.msg | test("connection (reset|refused)")', ['connection ']],
    ['.msg | test("TIMEOUT"; "i")', ['TIMEOUT/i']],
    ['.level | ascii_downcase == "error"', ['error/i']],
    ['.path == "/v1/users"', ['users']],
    ['.path | startswith("a/b")', ['path']],
    ['has("stacktrace")', ['stacktrace']],
    ['.error.code', ['error']],
    ['.error // .err', ['error', 'err']],
    ['.request.status >= 500', ['request']],
    ['.a != null', ['a']],
    ['any(.tags[]; . == "prod")', ['prod']],
    ['.tags[] | select(. == "prod")', ['prod']],
    ['[.tags[] | select(. == "prod")] | length > 0', ['prod']],
    ['.level as $l | $l == "error"', ['error']],
    ['.. | strings | test("panic")', ['panic']],
    ['if .a == "xyz" then .b else false end', ['xyz']],
    ['try (.msg | test("boom")) catch false', ['boom']],
    ['first(.items[] | select(.id == "abc"))', ['abc']],
    ['(.logger // "") | startswith("http.log")', ['http.log']],
    ['(.error // "") | tostring | test("disk full on /dev")', ['disk full on ']],
    ['.level | tostring | ascii_downcase == "fatal"', ['fatal/i']],
    ['[.msg?, .error?] | map(strings) | any(test("panic recovered|nil map"))', ['panic recovered', 'nil map']],
    ['[.a[] | .b] | any(. == "down")', ['down']],
  ])('names what an entry must contain: %s', (filter, texts) => {
    expect(textsOf(filter)).toEqual([...texts, '\\u'])
  })

  it.each([
    'true',
    'not',
    '.a == null',
    '.a | not',
    '.a != "x"',
    '.a < 5',
    'length > 3',
    'tojson | test("timeout")',
    '.a | tostring == "x"',
    '"error" | test("error")',
    'all(.tags[]; . == "x")',
    '.a == "é"[0:0]',
    'def test(x): true; .a | test("zzz")',
    'map(.x)',
    '{a: 1}',
    '"\\(.a)"',
    '.["\\(.k)"]?',
    'isempty(.a)',
    '.level == "error" or true',
    '.missing | tostring | test("null")',
    '.n | tostring | test("1e")',
    '(.a // "none") | test("none")',
    '[.a, "down"] | any(. == "down")',
    'map("x") | any(. == "x")',
  ])('is null if nothing is required: %s', (filter) => {
    expect(textsOf(filter)).toBeNull()
  })
})

const KEYS = ['a', 'level', 'msg', 'a/b', 'x"y', 'é']
const TEXTS = ['error', 'warn', 'disk full', 'a/b', 'say "hi"', 'tab\there', 'ÄÖ', 'err<or>', '', 'Kelvin', 'k', "it's"]

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...TEXTS, null, true, false, 0, 1.5, 1e21, 1e-7) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { minKeys: 1, maxKeys: 4 }) },
  ),
}))

/** Writes JSON in ways that encoders do: with slashes escaped, with characters as `\u…`, with spaces. */
function encode(value: unknown, style: { slashes: boolean; escapes: RegExp | null; spaces: boolean }): string {
  let text = JSON.stringify(value, null, style.spaces ? 1 : 0)
  const { escapes } = style
  if (escapes) {
    text = text.replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
      string.replace(/\\.|[^"\\]/g, (c) =>
        c.length === 1 && escapes.test(c) ? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : c,
      ),
    )
  }
  return style.slashes ? text.replaceAll('/', '\\/') : text
}

const styles = fc.record({
  slashes: fc.boolean(),
  escapes: fc.constantFrom(null, /[<>&']/, /[^ -~]/, /[er]/, /[a-z]/i),
  spaces: fc.boolean(),
})

const text = fc.constantFrom(...TEXTS).map((t) => JSON.stringify(t))
const key = fc.constantFrom(...KEYS).map((k) => JSON.stringify(k))
const { filter: filters } = fc.letrec<{ filter: string; path: string }>((tie) => ({
  path: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('.', '.[]?', '..', '.[0]?', '.[]'),
    key.map((k) => `.[${k}]`),
    key.map((k) => `.[${k}]?`),
    fc.tuple(tie('path'), tie('path')).map(([a, b]) => `(${a} | ${b})`),
    fc.tuple(tie('path'), key).map(([a, k]) => `(${a} | .[${k}]?)`),
    fc.tuple(tie('path'), tie('filter')).map(([a, f]) => `(${a} | select(${f}))`),
    fc.tuple(tie('path'), tie('path')).map(([a, b]) => `(${a} // ${b})`),
    tie('path').map((a) => `(${a} | strings)`),
    tie('path').map((a) => `first(${a})`),
    tie('path').map((a) => `(${a} | tostring)`),
    tie('path').map((a) => `(${a} // "")`),
    tie('path').map((a) => `([${a}] | .[])`),
  ),
  filter: fc.oneof(
    { maxDepth: 4 },
    tie('path'),
    fc.tuple(tie('path'), fc.constantFrom('==', '!=', '<', '>', '>='), text).map(([a, o, t]) => `(${a} ${o} ${t})`),
    fc
      .tuple(tie('path'), fc.constantFrom('== null', '!= null', '> 0', '== true', '| not'))
      .map(([a, o]) => `(${a} ${o})`),
    fc.tuple(tie('path'), text).map(([a, t]) => `(${a} | ascii_downcase == ${t})`),
    fc
      .tuple(tie('path'), fc.constantFrom('contains', 'startswith', 'endswith', 'index', 'IN', 'has'), text)
      .map(([a, f, t]) => `(${a} | ${f}(${t}))`),
    fc
      .tuple(
        tie('path'),
        fc.constantFrom('err|warn', 'dis[kc] f', 'a/?b', '(?i)e(rror)+', 'k', 'x*rr?or', '^s.y'),
        fc.boolean(),
      )
      .map(([a, p, i]) => `(${a} | test("${p}"${i ? '; "i"' : ''}))`),
    fc
      .tuple(tie('filter'), fc.constantFrom('and', 'or', '//', ','), tie('filter'))
      .map(([a, o, b]) => `(${a} ${o} ${b})`),
    fc.tuple(tie('path'), tie('filter')).map(([a, f]) => `any(${a}; ${f})`),
    fc.tuple(tie('path'), tie('path'), tie('filter')).map(([a, b, f]) => `([${a}, ${b}] | map(strings) | any(${f}))`),
    fc.tuple(tie('path'), tie('path'), tie('filter')).map(([a, b, f]) => `([${a}] | map(${b}) | any(${f}))`),
    fc.tuple(tie('path'), tie('filter')).map(([a, f]) => `(${a} | ${f})`),
    fc.tuple(tie('path'), text).map(([a, t]) => `(${a} as $x | $x == ${t})`),
    fc.tuple(tie('filter'), tie('filter'), tie('filter')).map(([a, b, c]) => `if ${a} then ${b} else ${c} end`),
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(try ${a} catch ${b})`),
    tie('filter').map((f) => `([${f}] | length > 0)`),
    tie('filter').map((f) => `(${f})?`),
    fc.constantFrom('error', 'empty', 'false', 'true', 'null'),
  ),
}))

function isCandidate(plan: Plan, entry: string): boolean {
  if (plan === null) return true
  // A folded k or s says nothing about an entry with a letter that Unicode folds to it.
  return plan.some(({ needles: [needle] }) => {
    const { text: wanted, fold } = needle!
    return fold
      ? entry.toLowerCase().includes(wanted.toLowerCase()) || /[\u212A\u017F]/.test(entry)
      : entry.includes(wanted)
  })
}

describe('an entry that does not contain what the plan requires', () => {
  it('never matches', () => {
    let decisive = 0
    fc.assert(
      fc.property(filters, fc.array(fc.tuple(values, styles), { minLength: 8, maxLength: 8 }), (filter, documents) => {
        fc.pre(filter.length < 500)
        const plan = planJq(parseJq(filter))
        const { matches } = compileJq(filter)
        for (const [value, style] of documents) {
          const entry = encode(value, style)
          if (matches(entry) !== 'match') continue
          expect({ filter, entry, plan, candidate: isCandidate(plan, entry) }).toMatchObject({ candidate: true })
          if (plan !== null) decisive++
        }
      }),
      { numRuns: 2000 },
    )
    expect(decisive).toBeGreaterThan(50)
  })

  it('has no needle with characters that encoders may escape', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        for (const { needles } of planJq(parseJq(filter)) ?? []) {
          for (const { text: needle } of needles)
            if (needle !== '\\u') expect(needle).toMatch(/^[^"\\/<>&'\x7f-\uffff]+$/)
        }
      }),
      { numRuns: 500 },
    )
  })
})
