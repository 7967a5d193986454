import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CompiledRules, compileRules } from '../src/index.js'
import { createConditionTests, loadTestModules } from '../src/scan/condition-tests.js'
import { looksLikeObject } from '../src/scan/envelopes/json.js'
import { messagesOf } from '../src/scan/envelopes/messages.js'
import { type Kernel, loadKernel } from '../src/scan/kernel/kernel.js'
import { plainKernel } from '../src/scan/kernel/plain-kernel.js'
import { ENTRY_FLAG } from '../src/scan/kernel/reading-layout.js'
import type { EntryBatch } from '../src/scan/reading/reader.js'
import { createScanner } from '../src/scan/scanner.js'
import { compileJq } from '../src/terms/jq/index.js'
import { csvlog, jsonlog, wrapped } from './random-envelopes.js'
import { randomCondition, randomText } from './random-scan.js'
import { slowTest } from './slow-scan.js'

const KERNELS = [
  ['plain', plainKernel],
  ['wasm', await loadKernel()],
] as const

const NOW = new Date('2026-04-01T00:00:00Z')

const encoder = new TextEncoder()

/** Puts texts into kernel memory as the entries of a batch. */
function batchOf(kernel: Kernel, texts: readonly string[]): EntryBatch {
  const { memory } = kernel
  const bytes = texts.map((text) => encoder.encode(`${text}\n`))
  const size = bytes.reduce((sum, { length }) => sum + length, 0)
  const count = texts.length
  const base = memory.allocate(size + 256) + 128
  const [starts, ends, lines, times, flags] = [4, 4, 4, 8, 1].map((size) => memory.allocate(size * count))
  const { buffer } = memory.memory
  const batch = {
    count,
    textStart: new Uint32Array(buffer, starts, count),
    textEnd: new Uint32Array(buffer, ends, count),
    line: new Uint32Array(buffer, lines, count),
    timestamp: new BigInt64Array(buffer, times, count),
    flags: new Uint8Array(buffer, flags, count),
    textFrom: base,
    textTo: base + size - 1,
  }
  let at = base
  bytes.forEach((text, index) => {
    memory.u8.set(text, at)
    batch.textStart[index] = at
    batch.textEnd[index] = at + text.length - 1
    batch.flags[index] = texts[index]!.includes('\\') ? ENTRY_FLAG.backslash : 0
    at += text.length
  })
  return batch
}

const jqFilter = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('.level', '.msg', '.message', '.log', '.a', '.z'),
      fc.constantFrom('"error"', '1', '"disk full"', '"a/b"'),
    )
    .map(([field, value]) => ({ jq: `${field} == ${value}` })),
  fc
    .constantFrom('disk', 'ünï', '"', '\\\\', 'err')
    .map((text) => ({ jq: `(.msg // .log // "") | tostring | test(${JSON.stringify(text)})` })),
  fc.constantFrom({ jq: '. == 502' }, { jq: 'has("MESSAGE")' }, { jq: 'type == "object"' }),
)

/** Anchors, line feeds and everything that JSON escapes. */
const awkward = fc.constantFrom(
  { value: 'disk\nerror' },
  { value: '\n' },
  { value: 'a/b' },
  { value: '"err"' },
  { value: 'a\\b"' },
  { value: '\\"' },
  { value: 'n disk' },
  { value: 'u00' },
  { value: '<a>' },
  { value: 'ERROR:  ' },
  { value: ':  disk' },
  { value: 'ERROR,XX000,"' },
  { regex: '^err' },
  { regex: '^$' },
  { regex: 'disk$' },
  { regex: '^.?$' },
  { regex: '(?m)^error$' },
  { regex: '"[a-z]+":' },
  { regex: '(FATAL|ERROR): +disk' },
  { regex: 'disk.+"err' },
  { regex: '\u{1f600}|ünï"' },
)

const condition = fc.oneof({ weight: 3, arbitrary: randomCondition }, { weight: 2, arbitrary: awkward }, jqFilter)

const text = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 2, arbitrary: randomText },
        fc.constantFrom('disk', '"err"', 'a/b', '<a>', 'a\\b"', '\u{1f600}', 'ünï"', '\t', 'disk full', '\u001b'),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    fc.constantFrom('', '', '\n'),
  )
  .map(([parts, separator]) => parts.join(separator))

/** Rules of one condition each. */
async function rulesOf(written: readonly object[]): Promise<CompiledRules> {
  const rules = written.map((match, index) => ({
    cre: { id: `CRE-2026-${4000 + index}` },
    rule: { set: { event: { source: 'x' }, match: [match] } },
  }))
  return compileRules([{ name: 'random.yaml', text: JSON.stringify({ rules }) }])
}

/** Which part of which message of which text is searched for. */
const place = fc.record({ text: fc.nat(), message: fc.nat(), start: fc.nat(), length: fc.integer({ min: 1, max: 8 }) })

type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never

/** A literal that is in one of the texts or in a message inside. */
function literalAt(texts: readonly string[], { text, message, start, length }: Place): { value: string } | undefined {
  const outer = texts[text % texts.length]!
  const all = [outer, ...messagesOf(outer)]
  const characters = [...all[message % all.length]!]
  const from = start % Math.max(1, characters.length - length + 1)
  const value = characters.slice(from, from + length).join('')
  return value === '' || /\p{Surrogate}/u.test(value) ? undefined : { value }
}

/** The oracle: the conditions that each text meets, itself or in a message inside. */
function slowlyMet({ conditions }: CompiledRules, texts: readonly string[]): number[][] {
  const tests = conditions.map((condition) => {
    if (condition.kind !== 'jq') return slowTest(condition)
    const filter = compileJq(condition.text)
    return (one: string, isMessage: boolean) => (!isMessage || looksLikeObject(one)) && filter.matches(one) === 'match'
  })
  return texts.map((text) => {
    const messages = messagesOf(text)
    return tests.flatMap((meets, index) =>
      meets(text, false) || messages.some((message) => meets(message, true)) ? [index] : [],
    )
  })
}

async function quicklyMet(kernel: Kernel, rules: CompiledRules, texts: readonly string[]): Promise<number[][]> {
  const tests = createConditionTests(rules, await loadTestModules(rules), { now: NOW, warn: () => {} })
  const found = createScanner(kernel, rules.conditions, tests).scan(batchOf(kernel, texts))
  const met = texts.map((): number[] => [])
  for (let i = 0, from = 0; i < found.matches; from = found.conditionsEnd[i++]!) {
    met[found.entry[i]!] = [...found.conditions.subarray(from, found.conditionsEnd[i])]
  }
  return met
}

describe.each(KERNELS)('the scanner of the %s kernel', (_, makeKernel) => {
  it('finds a condition in a text or any message inside, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wrapped(text), { minLength: 1, maxLength: 60 }),
        fc.array(condition, { minLength: 1, maxLength: 8 }),
        fc.array(place, { maxLength: 60 }),
        async (texts, written, places) => {
          const literals = places.flatMap((one) => literalAt(texts, one) ?? [])
          const rules = await rulesOf([...written, ...literals])
          expect(await quicklyMet(makeKernel(), rules, texts)).toEqual(slowlyMet(rules, texts))
        },
      ),
      { numRuns: 40 },
    )
  })

  it.each([
    ['quotes', 'say "yes"', JSON.stringify({ msg: 'say "yes"' })],
    ['quotes of JSON inside JSON', 'say "yes"', JSON.stringify({ log: JSON.stringify({ msg: 'say "yes"' }) })],
    ['quotes three deep', 'say "yes"', ['c', 'b', 'a'].reduce((msg) => JSON.stringify({ msg }), 'say "yes"')],
    ['escaped slashes', 'a/b', '{"msg":"a\\/b"}'],
    [
      'escaped angle brackets',
      '<none>',
      '{"msg":"<none>"}'.replace(/[<>]/g, (one) => (one === '<' ? '\\u003c' : '\\u003E')),
    ],
    ['a tab', 'a\tb', JSON.stringify({ msg: 'a\tb' })],
    ['several lines', 'a\nb', JSON.stringify({ msg: 'a\nb' })],
    ['several lines with a prefix', 'a\nb', 'web-1  | a\nweb-1  | b'],
    ['several lines with a prefix in JSON', 'a\nb', JSON.stringify({ msg: 'web-1  | a\nweb-1  | b' })],
    ['a severity in a csvlog', 'ERROR:  column a', csvlog('column a')],
    ['quotes in a csvlog', 'column "a"', csvlog('column "a"')],
    ['quotes in a csvlog in JSON', 'ERROR:  column "a"', JSON.stringify({ log: csvlog('column "a"') })],
    ['a severity in a jsonlog', 'FATAL:  column a', jsonlog('column a')],
    ['quotes in a jsonlog', 'FATAL:  column "a"', jsonlog('column "a"')],
    ['a severity alone', 'FATAL:  ', jsonlog('column "a"')],
    ['a space after the severity', ' column', csvlog('column "a"')],
    ['half of a surrogate pair', 'a', '{"msg":"\\ud83d \\u0061"}'],
    ['escapes that begin like a letter', 'network', JSON.stringify({ msg: 'lost\network' })],
  ])('finds a literal with %s', async (_, value, text) => {
    const rules = await rulesOf([{ value }])
    expect(await quicklyMet(makeKernel(), rules, ['', text, ''])).toEqual([[], [0], []])
  })

  it.each([
    ['JSON', JSON.stringify({ log: '{"level":"error"}' })],
    ['JSON with all quotes escaped as numbers', '{"log":"{\\u0022level\\u0022:\\u0022error\\u0022}"}'],
    ['two objects', JSON.stringify({ message: JSON.stringify({ log: '{"level":"error"}' }) })],
    ['syslog', 'Mar  1 12:00:01 web-1 app[7]: {"level":"error"}'],
    ['bytes', JSON.stringify({ MESSAGE: [...encoder.encode('{"level":"error"}')] })],
  ])('finds an object inside %s with jq', async (_, text) => {
    const rules = await rulesOf([{ jq: '.level == "error"' }])
    expect(await quicklyMet(makeKernel(), rules, ['', text, ''])).toEqual([[], [0], []])
  })

  it.each([
    ['an empty object', 'length == 0', '{"log":"{ }","time":7}', [0]],
    ['a number in a message', '. == 502', '{"log":"502"}', []],
    ['a text that is a number', '. == 502', '502', [0]],
  ])('runs jq on %s as on other texts', async (_, jq, text, met) => {
    expect(await quicklyMet(makeKernel(), await rulesOf([{ jq }]), [text])).toEqual([met])
  })
})
