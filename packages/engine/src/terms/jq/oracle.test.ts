import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from './compile/compile.js'
import { LimitReached, refill } from './evaluation.js'
import { compileJq, parseJq } from './index.js'
import { parseDocument } from './values/document.js'
import { toJson } from './values/json-text.js'
import { JqError } from './values/value.js'

// The real jq, compiled to WebAssembly, is the oracle. It leaks memory with every call, so it is replaced now and then.
interface Oracle {
  raw(input: string, filter: string, flags: string[]): Promise<string>
}
const createOracle = createRequire(import.meta.url)('jq-wasm/dist/build/jq.js') as () => Promise<Oracle>
const CALLS_PER_ORACLE = 100
let oracle: Oracle | undefined
let calls = 0

/** What a filter did with one input: its outputs as JSON, and whether an error ended it. */
interface Result {
  readonly outputs: readonly string[]
  readonly failed: boolean
}

const START = '"\\u0001start"'
const END = '"\\u0001end"'

/** What jq does with a filter and each of these inputs; `undefined` if it does not compile the filter. */
async function runOracle(filter: string, inputs: readonly string[]): Promise<Result[] | undefined> {
  if (oracle === undefined || ++calls > CALLS_PER_ORACLE) {
    oracle = await createOracle()
    calls = 0
  }
  const lines = await evaluateWithOracle(oracle, `${START}, (${filter}\n), ${END}`, inputs.join('\n'))
  if (lines === undefined) return undefined
  const results: { outputs: string[]; failed: boolean }[] = []
  for (const line of lines) {
    if (line === START) results.push({ outputs: [], failed: true })
    else if (line === END) results[results.length - 1]!.failed = false
    else results[results.length - 1]!.outputs.push(line)
  }
  return results
}

async function evaluateWithOracle(instance: Oracle, program: string, input: string): Promise<string[] | undefined> {
  try {
    return (await instance.raw(input, program, ['-c'])).split('\n')
  } catch (error) {
    const { message } = error as Error
    if (/compile error|syntax error|not given/.test(message)) return undefined
    oracle = undefined
    throw error
  }
}

/** What Omen's interpreter does; `undefined` if it does not compile the filter. */
function runOmen(filter: string, inputs: readonly string[]): Result[] | undefined {
  const code = compiled(filter)
  return code && inputs.map((input) => evaluate(code, parseDocument(input, { keys: true, numbers: true })!))
}

function compiled(filter: string) {
  try {
    return compile(parseJq(filter), null)
  } catch (error) {
    if ((error as Error).name === 'TermError') return undefined
    throw error
  }
}

function evaluate(code: ReturnType<typeof compile>, input: Parameters<typeof code.each>[0]): Result {
  const outputs: string[] = []
  refill({ steps: 1e7, bytes: 1e9, depth: 500 })
  try {
    code.each(input, null, null, (value) => outputs.push(toJson(value)) > 0)
    return { outputs, failed: false }
  } catch (error) {
    if (error instanceof JqError) return { outputs, failed: true }
    throw error instanceof LimitReached ? new Error(`limit: ${error.of}`) : error
  }
}

const isMatch = ({ outputs, failed }: Result): boolean => !failed && outputs.some((o) => o !== 'null' && o !== 'false')

/** A table is a text file: a filter on a line, then its inputs, one per line, indented by two spaces. */
function readTable(file: string): { filter: string; inputs: string[] }[] {
  const table: { filter: string; inputs: string[] }[] = []
  for (const line of readFileSync(new URL(`cases/${file}`, import.meta.url), 'utf8').split('\n')) {
    if (line.startsWith('  ')) table[table.length - 1]!.inputs.push(line.trim())
    else if (line !== '') table.push({ filter: line, inputs: [] })
  }
  return table.map(({ filter, inputs }) => ({ filter, inputs: inputs.length === 0 ? ['null'] : inputs }))
}

describe.each(readdirSync(new URL('cases/', import.meta.url)))('filters of %s', (file) => {
  it('have the same outputs as in jq', async () => {
    for (const { filter, inputs } of readTable(file)) {
      const wanted = await runOracle(filter, inputs)
      expect({ filter, results: runOmen(filter, inputs) }).toEqual({ filter, results: wanted })
      if (wanted === undefined) continue
      const { matches } = compileJq(filter)
      const outcomes = inputs.map((input) => matches(input) === 'match')
      expect({ filter, inputs, outcomes }).toEqual({ filter, inputs, outcomes: wanted.map(isMatch) })
    }
  })
})

// Strings of JSON rather than values, because the spelling of numbers and keys matters, and so does the order of keys.
const scalars = fc.constantFrom(
  ...'null true false 0 1 -1 2.5 10 1.0 1e3 -0 0.10 13911860366432393 13911860366432392 1e1000 0.00001'.split(' '),
  ...'"a" "b" "error" "" "1" "é" "a,b" "😀" "\\u0061" "a\\/b"'.split(' '),
)
const names = fc
  .constantFrom('a', 'b', 'level', '0', '10', 'x y', '__proto__', 'constructor', '\\u0061b')
  .map((name) => `"${name}"`)
const { value: values } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: scalars },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`) },
    {
      weight: 2,
      arbitrary: fc
        .uniqueArray(fc.tuple(names, tie('value')), { maxLength: 3, selector: ([name]) => name })
        .map((fields) => `{${fields.map(([name, value]) => `${name}: ${value}`).join(',')}}`),
    },
  ),
}))

const keys = fc.constantFrom('a', 'b', 'level')
const constants = fc.constantFrom(
  'null',
  'true',
  'false',
  '0',
  '1',
  '-1',
  '2.5',
  '"a"',
  '"error"',
  '""',
  '[]',
  '{}',
  '[1,2]',
)
const functions = fc.constantFrom(
  ...'length keys type not add any all floor tostring tojson ascii_downcase explode reverse sort unique min max'.split(
    ' ',
  ),
  ...'to_entries paths flatten first last tonumber values strings numbers arrays isnan empty error .. recurse'.split(
    ' ',
  ),
)
const binary = fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'and', 'or', '//', ',', '|')
const { filter: filters } = fc.letrec<{ filter: string; path: string }>((tie) => ({
  path: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('.', '.[]', '.[]?', '.[0]', '.[-1]', '.[1:]', '.[:1]?', '..', '.["a"]', '.a?', '.b'),
    fc.tuple(tie('path'), keys).map(([path, key]) => `(${path} | .${key}?)`),
    fc.tuple(tie('path'), tie('filter')).map(([path, test]) => `(${path} | select(${test}))`),
  ),
  filter: fc.oneof(
    { maxDepth: 4 },
    tie('path'),
    keys.map((key) => `.${key}`),
    constants,
    functions,
    fc.tuple(tie('filter'), binary, tie('filter')).map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(${a} | ${b})`),
    tie('filter').map((f) => `[${f}]`),
    fc.tuple(keys, tie('filter')).map(([key, f]) => `{${key}: (${f})}`),
    fc.tuple(tie('filter'), tie('filter'), tie('filter')).map(([a, b, c]) => `if ${a} then ${b} else ${c} end`),
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `(try (${a}) catch (${b}))`),
    tie('filter').map((f) => `(${f})?`),
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `((${a}) as $x | (${b}), $x)`),
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `reduce (${a}) as $x (0; (${b}))`),
    fc.tuple(tie('filter'), tie('filter')).map(([a, b]) => `[foreach (${a}) as $x (.; (${b}); [$x, .])]`),
    fc.tuple(tie('path'), tie('filter')).map(([path, f]) => `(${path} = (${f}))`),
    fc.tuple(tie('path'), tie('filter')).map(([path, f]) => `(${path} |= (${f}))`),
    tie('path').map((path) => `[path(${path})]`),
    tie('path').map((path) => `del(${path})`),
    fc
      .constantFrom('map', 'select', 'any', 'all', 'sort_by', 'group_by', 'first', 'isempty', 'map_values', 'paths')
      .chain((name) => tie('filter').map((f) => `${name}(${f})`)),
    fc
      .constantFrom('has', 'contains', 'startswith', 'index', 'join', 'split', 'test', 'ltrimstr')
      .chain((name) => constants.map((c) => `${name}(${c})`)),
  ),
}))

describe('random filters', () => {
  it('have the same outputs as in jq, and match the same inputs', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.array(values, { minLength: 1, maxLength: 6 }), async (filter, inputs) => {
        fc.pre(filter.length < 400)
        const wanted = await runOracle(filter, inputs)
        expect(runOmen(filter, inputs)).toEqual(wanted)
        const { matches } = compileJq(filter)
        expect(inputs.map((input) => matches(input) === 'match')).toEqual(wanted?.map(isMatch))
      }),
      { numRuns: 200 },
    )
  })
})

const REGEX_ATOMS = [
  ...['a', 'b', 'ab', 'k', 's', 'é', 'σ', '日', '😀', ' ', '1', '#', '\\n', '\\x{61}', '\\h', '\\Qa.\\E'],
  ...['.', '.*', '.+', '.*?', '\\R', '\\N', '\\O', '\\d', '\\w', '\\W', '\\s', '\\S', '\\p{Lu}', '\\P{L}', '()'],
  ...['[ab]', '[^a]', '[a-s]', '[^\\n]', '[\\s\\S]', '[[:alpha:]]', '[[:^upper:]]', '[^\\W_]', '[^\\p{Greek}1]'],
]
const REGEX_PLACES = ['^', '$', '\\b', '\\B', '\\A', '\\z', '\\Z', '\\G', '(?i)', '(?s)', '(?m)', '(?x)', '(?-i)']
const REGEX_COUNTS = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,2}?', '{2,}', '{0}', '{,2}']
const REGEX_GROUPS = ['(', '(', '(?<n>', '(?:', '(?i:', '(?s:', '(?m:', '(?x:', '(?-i:']
const { regex: regexes } = fc.letrec<{ regex: string; branch: string; item: string }>((tie) => ({
  regex: fc.array(tie('branch'), { minLength: 1, maxLength: 2 }).map((branches) => branches.join('|')),
  branch: fc.array(tie('item'), { maxLength: 3 }).map((items) => items.join('')),
  item: fc.oneof(
    { maxDepth: 2 },
    fc
      .tuple(fc.constantFrom(...REGEX_ATOMS), fc.constantFrom(...REGEX_COUNTS))
      .map(([atom, count]) => (/[*+?]$/.test(atom) ? atom : `${atom}${count}`)),
    fc.constantFrom(...REGEX_PLACES),
    fc
      .tuple(fc.constantFrom(...REGEX_GROUPS), tie('regex'), fc.constantFrom(...REGEX_COUNTS))
      .map(([open, inner, count]) => `${open}${inner})${count}`),
  ),
}))
const ASCII_LETTERS = ['a', 'b', 'k', 's', 'A', 'K', 'S', '\n', '\r', ' ', '_', '1']
// After an empty match, jq continues within the bytes of a character, so all matches of a text are compared on ASCII only.
const searches = fc.oneof(
  fc.tuple(
    fc.string({ unit: fc.constantFrom(...ASCII_LETTERS), maxLength: 8 }),
    fc.constantFrom('g', 'gi', 'gx', 'gn', 'gl', 'gp', 'gs'),
  ),
  fc.tuple(
    fc.string({ unit: fc.constantFrom(...ASCII_LETTERS, 'é', 'É', 'σ', 'ς', '日', '😀'), maxLength: 8 }),
    fc.constantFrom('', 'i', 'n', 'l', 'x'),
  ),
)
const MATCH_ALL =
  '.[] | . as [$regex, $flags, $text] | [$text | try (match($regex; $flags) | del(.captures[].length)) catch "error"]'

describe('random regular expressions', () => {
  it('find the matches and groups that jq finds', async () => {
    const cases = fc.array(fc.tuple(regexes, searches), { minLength: 100, maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(cases, async (all) => {
        const input = JSON.stringify(all.map(([regex, [text, flags]]) => [regex, flags, text]))
        const wanted = (await runOracle(MATCH_ALL, [input]))?.[0]?.outputs
        const found = runOmen(MATCH_ALL, [input])?.[0]?.outputs
        for (const [i, [regex, search]] of all.entries()) {
          // jq gives up on a search that backtracks too much.
          if (wanted?.[i] === '["error"]') continue
          expect({ regex, search, matches: found?.[i] }).toEqual({ regex, search, matches: wanted?.[i] })
        }
      }),
      { numRuns: 10 },
    )
  })
})
