import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRules } from './compile.js'

interface Model {
  readonly kind: 'set' | 'sequence'
  readonly source: string
  readonly window: number
  readonly positive: readonly Condition[]
  readonly negate: readonly (Condition & { readonly slide: number; readonly absolute: boolean })[]
}

interface Condition {
  readonly key: 'value' | 'regex'
  readonly text: string
  readonly count: number
}

/** Ways to write a document that do not change its meaning. */
interface Style {
  readonly quote: (text: string) => string
  readonly reversed: boolean
  readonly named: boolean
  readonly anchored: boolean
  readonly comment: string
  readonly milliseconds: boolean
}

const texts = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'two words')
const conditions = fc.record({
  key: fc.constantFrom('value', 'regex'),
  text: texts,
  count: fc.integer({ min: 1, max: 3 }),
})
const models: fc.Arbitrary<Model> = fc.record({
  kind: fc.constantFrom('set', 'sequence'),
  source: fc.constantFrom('cre.log.a', 'cre.log.b'),
  window: fc.integer({ min: 1, max: 9 }),
  positive: fc.array(conditions as fc.Arbitrary<Condition>, { minLength: 2, maxLength: 4 }),
  negate: fc.array(
    fc.record({
      key: fc.constantFrom('value', 'regex'),
      text: texts,
      count: fc.constant(1),
      slide: fc.integer({ min: -3, max: 3 }),
      absolute: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
}) as fc.Arbitrary<Model>

const styles: fc.Arbitrary<Style> = fc.record({
  quote: fc.constantFrom(
    (text: string) => text,
    (text: string) => `'${text}'`,
    (text: string) => JSON.stringify(text),
  ),
  reversed: fc.boolean(),
  named: fc.boolean(),
  anchored: fc.boolean(),
  comment: fc.constantFrom('', '# a diagnostic\n'),
  milliseconds: fc.boolean(),
})

function write({ kind, source, window, positive, negate }: Model, style: Style): string {
  const map = (pairs: readonly string[]) => `{${(style.reversed ? pairs.toReversed() : pairs).join(', ')}}`
  const duration = (seconds: number) => (style.milliseconds ? `${seconds * 1000}ms` : `${seconds}s`)
  const named: string[] = []
  const condition = ({ key, text }: Condition) => {
    if (!style.named) return `${key}: ${style.quote(text)}`
    named.push(`  term${named.length}: {${key}: ${style.quote(text)}}\n`)
    return `value: term${named.length - 1}`
  }
  const terms = positive.map((term) => map([condition(term), `count: ${term.count}`]))
  const negated = negate.map((term) =>
    map([condition(term), `slide: ${duration(term.slide)}`, `absolute: ${term.absolute}`]),
  )
  const event = style.anchored ? 'event: *event' : `event: {source: ${style.quote(source)}}`
  const list = kind === 'set' ? 'match' : 'order'
  const group = map([event, `window: ${duration(window)}`, `${list}: [${terms}]`, `negate: [${negated}]`])
  const anchor = style.anchored ? `x: &event {source: ${style.quote(source)}}\n` : ''
  const shared = named.length > 0 ? `terms:\n${named.join('')}` : ''
  return `${style.comment}${anchor}${shared}rules:\n  - ${map(['cre: {id: CRE-2026-0001, title: x}', `rule: {${kind}: ${group}}`])}\n${style.comment}`
}

async function hashOf(text: string): Promise<string> {
  const { rules } = await compileRules([{ name: 'a', text }])
  return rules[0]!.ruleHash
}

/** The meaning of the rule, with identical conditions counted together. */
function meaning({ kind, source, window, positive, negate }: Model): string {
  const joined: { name: string; count: number }[] = []
  for (const { key, text, count } of positive) {
    const name = `${key} ${text}`
    const same =
      kind === 'set'
        ? joined.find((term) => term.name === name)
        : joined.at(-1)?.name === name
          ? joined.at(-1)
          : undefined
    if (same) same.count += count
    else joined.push({ name, count })
  }
  return JSON.stringify([
    kind,
    source,
    window,
    joined,
    negate.map(({ key, text, slide, absolute }) => [key, text, slide, absolute]),
  ])
}

describe('a derived hash', () => {
  test('does not depend on how the rule is written', async () => {
    await fc.assert(
      fc.asyncProperty(models, styles, styles, async (model, one, other) => {
        expect(await hashOf(write(model, one))).toBe(await hashOf(write(model, other)))
      }),
      { numRuns: 150 },
    )
  })

  test('changes with everything that can change a detection', async () => {
    await fc.assert(
      fc.asyncProperty(models, models, styles, async (one, other, style) => {
        const same = meaning(one) === meaning(other)
        expect((await hashOf(write(one, style))) === (await hashOf(write(other, style)))).toBe(same)
      }),
      { numRuns: 150 },
    )
  })

  test('is the same on every machine', async () => {
    const text = 'rules:\n- cre: {id: CRE-2026-0001}\n  rule: {set: {event: {source: cre.log.x}, match: [x]}}\n'
    const { rules, fingerprint } = await compileRules([{ name: 'a', text }])
    expect([rules[0]!.ruleId, rules[0]!.ruleHash, fingerprint]).toMatchInlineSnapshot(`
      [
        "N3Cq1WJQoKhHv6H7resywi",
        "CJRbfbgSkxA8rShCqhSgQ5",
        "JYUKbL2GiQ9CCCT5M78qMk",
      ]
    `)
  })

  test('is a rule id of the common length', async () => {
    for (let i = 0; i < 50; i++) {
      const text = `rules:\n- cre: {id: CRE-2026-00${i}}\n  rule: {set: {event: {source: x}, match: [x]}}\n`
      const { rules } = await compileRules([{ name: 'a', text }])
      for (const id of [rules[0]!.ruleId, rules[0]!.ruleHash]) expect(id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{22}$/)
    }
  })
})

describe('the fingerprint', () => {
  const rule = (id: string, text: string) => ({
    name: id,
    text: `rules:\n- cre: {id: ${id}}\n  rule: {set: {event: {source: x}, match: [${text}]}}\n`,
  })
  const of = async (...documents: { name: string; text: string }[]) => (await compileRules(documents)).fingerprint

  test('depends only on the rules, their conditions and their order', async () => {
    const [a, b] = [rule('CRE-1', 'a'), rule('CRE-2', 'b')]
    const fingerprints = [
      await of(a, b),
      await of(b, a),
      await of(a),
      await of(a, rule('CRE-2', 'c')),
      await of(a, rule('CRE-3', 'b')),
    ]
    expect(new Set(fingerprints).size).toBe(fingerprints.length)
    expect(await of(a, { name: 'elsewhere', text: `# a diagnostic\n${b.text}` })).toBe(fingerprints[0])
  })
})
