import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { COLLECTORS } from '../../generate/families.js'
import { generateLog, type LogPlan } from '../../generate/generate.js'
import { type Condition, conditionsOf, readCorpus } from './corpus.js'
import { densePlan, hitTemplates } from './logs.js'
import { escapeLiteral, literalRules, toPatterns } from './patterns.js'

const corpus = readCorpus(fileURLToPath(new URL('../../../../../shared/corpus/cre/', import.meta.url)))
const anything = () => true

const DOCUMENT = `
terms:
  shared:
    regex: a+b
    count: 2
rules:
  - cre: {id: TEST-1}
    rule: {set: {event: {source: s}, match: [alone]}}
  - cre: {id: TEST-2}
    rule: {set: {event: {source: s}, window: 5s, match: [shared, {value: both}], negate: [{regex: never}]}}
  - cre: {id: TEST-3}
    rule:
      set: {event: {source: s}, match: [overruled]}
      sequence: {event: {source: s}, window: 5s, order: [{value: alone}, {jq: .x, count: 3}]}
  - cre: {id: TEST-4}
    rule: {set: {event: {source: s}, window: 5s, match: [{value: thrice, count: 3}]}}
`

describe('the conditions of rule documents', () => {
  const { rules, conditions, alone } = conditionsOf([DOCUMENT])

  it('are found wherever they are, each once', () => {
    expect(rules).toBe(4)
    expect(conditions).toEqual([
      { kind: 'value', text: 'alone' },
      { kind: 'regex', text: 'a+b' },
      { kind: 'value', text: 'both' },
      { kind: 'regex', text: 'never' },
      { kind: 'jq', text: '.x' },
      { kind: 'value', text: 'thrice' },
    ])
  })

  it('make a detection alone only in a set of one condition, once', () => {
    expect(alone).toEqual([{ kind: 'value', text: 'alone' }])
  })
})

describe('the opponents’ patterns', () => {
  it('are escaped literals and grouped expressions', () => {
    const { patterns, literals, dropped } = toPatterns(conditionsOf([DOCUMENT]).conditions, anything)
    expect(patterns).toEqual(['alone', '(?:a+b)', 'both', '(?:never)', 'thrice'])
    expect(literals).toEqual(['alone', 'both', 'thrice'])
    expect(dropped).toEqual([{ text: '.x', why: 'a jq filter is no pattern' }])
  })

  it('list the conditions that were left out', () => {
    const conditions = [
      { kind: 'regex', text: '\\C' },
      { kind: 'value', text: 'two\nlines' },
    ] as const
    const { patterns, literals, dropped } = toPatterns(conditions, (pattern) => pattern !== '(?:\\C)')
    expect([...patterns, ...literals]).toEqual([])
    expect(dropped.map(({ text }) => text)).toEqual(['\\C', 'two\nlines'])
  })

  it('match a literal exactly when escaped', () => {
    const literal = '[error] 5\\d\\d (a|b) {2} ^$ .*+? #&~-'
    expect(new RegExp(`^${escapeLiteral(literal)}$`).test(literal)).toBe(true)
  })

  it('go into a rule document that gives them back', () => {
    const literals = ['plain', 'msg="quoted"', 'back\\slash', '[brackets']
    const { conditions } = conditionsOf([literalRules(literals)])
    expect(conditions).toEqual(literals.map((text) => ({ kind: 'value', text })))
  })
})

describe('the corpus', () => {
  it('is beside the checkout in CI', () => {
    expect(process.env.CI === 'true' && corpus === null).toBe(false)
  })
})

describe.runIf(corpus !== null)('the corpus beside the checkout', () => {
  it('has conditions for all its rules, none of them lost', () => {
    const { patterns, literals, dropped } = toPatterns(corpus!.conditions, anything)
    expect(corpus!.rules).toBe(119)
    expect(dropped).toEqual([])
    expect(patterns).toHaveLength(corpus!.conditions.length)
    expect(literals.length).toBeGreaterThan(80)
  })

  it('gives a log in which every line meets a rule of one condition', () => {
    const isMet = anyOf(corpus!.alone)
    const lines = linesOf(densePlan(hitTemplates({ corpus: corpus! }), 200_000))
    expect(lines.filter((line) => !isMet(line))).toEqual([])
  })

  it('finds between 1 and 5 of 1,000 lines of the quiet log', () => {
    const lines = linesOf({ seed: 1, size: 1_000_000, format: COLLECTORS.rfc3339 })
    const share = lines.filter(anyOf(corpus!.conditions)).length / lines.length
    expect(share).toBeGreaterThan(0.001)
    expect(share).toBeLessThan(0.005)
  })
})

/** Whether a line meets one of the conditions. What may precede a match is left out: V8 would try it from everywhere. */
function anyOf(conditions: readonly Condition[]): (line: string) => boolean {
  const sources = conditions.map(({ kind, text }) =>
    kind === 'value' ? escapeLiteral(text) : text.replace(/^\.\*/, ''),
  )
  const [folded, plain] = [true, false].map((fold) => sources.filter((source) => source.startsWith('(?i)') === fold))
  const patterns = [
    new RegExp(folded!.map((source) => source.slice(4)).join('|'), 'i'),
    ...plain!.map((source) => new RegExp(source)),
  ]
  return (line) => patterns.some((pattern) => pattern.test(line))
}

function linesOf(plan: LogPlan): string[] {
  const decoder = new TextDecoder()
  let text = ''
  for (const chunk of generateLog(plan)) text += decoder.decode(chunk, { stream: true })
  return text.trimEnd().split('\n')
}
