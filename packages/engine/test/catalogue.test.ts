import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../../bench/src/generate/families.js'
import { generateLog } from '../../../bench/src/generate.js'
import { compileCatalogue, confusion, createScan, TEST_DAY } from '../../../scripts/catalogue/confusion.mjs'
import { drawMatrix } from '../../../scripts/catalogue/describe-confusion.mjs'
import { quietLogs } from '../../../scripts/catalogue/quiet-logs.mjs'
import { readCatalogue } from '../../../scripts/catalogue/read-catalogue.mjs'
import { withIndex } from '../../../scripts/catalogue/rule-index.mjs'
import { compileRules, createDetector, RulesError, readEntries } from '../src/index.js'
import { findAlike, trigramsOf, wordsOf } from './catalogue/likeness.js'

const engine = { compileRules, createDetector, RulesError }
const catalogue = readCatalogue()
const { folders, overlaps, categories, tags } = catalogue
const compiled = compileCatalogue(engine, folders)

/** Of every log of the catalogue and of the ordinary logs: which rules fire where they should not, and which do not fire. */
const confused = compiled.then(({ rules }) =>
  confusion(engine, { rules, folders, overlaps, quiet: quietLogs({ generateLog, FAMILIES }) }),
)

/** Logs whose times go back, because the rule is about that. */
const OUT_OF_ORDER: readonly string[] = []

const LONGEST_TITLE = 80

async function ruleOf(id: string) {
  const { rules, broken } = await compiled
  const rule = rules.rules.find(({ cre }) => cre.id === id)
  if (rule === undefined) throw new Error(`${id} does not compile: ${JSON.stringify(broken)}`)
  return rule
}

const count = <T>(list: readonly T[], isOne: (item: T) => boolean) => list.filter(isOne).length

describe('the catalogue', () => {
  it('loads as one package, without a remark', async () => {
    const { rules, broken } = await compiled
    expect(broken).toEqual([])
    expect(rules.warnings).toEqual([])
    expect(rules.lint).toEqual([])
    expect(rules.rules.map(({ cre }) => cre.id)).toEqual(folders.map(({ id }) => id))
  })

  it('is large, covers much, and uses the power of the language', async () => {
    const { rules, conditions } = (await compiled).rules
    const technologies = new Set(rules.flatMap(({ cre }) => (cre.tags ?? []).filter((tag) => tag in tags.technologies)))
    const isJq = (condition: number) => conditions[condition]!.kind === 'jq'
    const totals = {
      rules: rules.length,
      technologies: technologies.size,
      'sequences, or sets of several conditions': count(
        rules,
        ({ kind, terms }) => kind === 'sequence' || terms.length > 1,
      ),
      'with negation': count(rules, ({ negate }) => negate.length > 0),
      'with jq': count(rules, ({ terms, negate }) => [...terms, ...negate].some(({ condition }) => isJq(condition))),
      'with counts in a window': count(rules, ({ terms }) => terms.some((term) => term.count > 1)),
    }
    console.log(totals)
    const wanted = [150, 40, 30, 20, 10, 15]
    const short = Object.entries(totals).filter(([, amount], index) => amount < wanted[index]!)
    expect(short).toEqual([])
  })

  it('has no words in its vocabularies that no rule uses', async () => {
    const { rules } = (await compiled).rules
    const used = new Set(rules.flatMap(({ cre }) => [...(cre.tags ?? []), cre.category]))
    const words = [categories, tags.symptoms, tags.technologies].flatMap((vocabulary) => Object.keys(vocabulary))
    expect(words.filter((word) => !used.has(word))).toEqual([])
    expect(words).toEqual([...new Set(words)])
  })

  it('keeps its vocabularies in order, each word with what it means', () => {
    for (const vocabulary of [categories, tags.symptoms, tags.technologies]) {
      const words = Object.keys(vocabulary)
      expect(words).toEqual(words.toSorted())
      for (const [word, meaning] of Object.entries(vocabulary)) {
        expect(word).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(meaning, word).toMatch(/^\S.*[^.\s]$/)
      }
    }
  })

  it('is listed in rules/README.md: npm run rules:index writes the table', () => {
    const page = readFileSync(`${catalogue.root}README.md`, 'utf8')
    expect(page === withIndex(page, catalogue)).toBe(true)
  })

  it('has no two rules with nearly the same title', async () => {
    const { rules } = (await compiled).rules
    const titles = new Map(rules.map(({ cre }) => [cre.id, cre.title ?? '']))
    expect(findAlike(titles, wordsOf, 0.75)).toEqual([])
  })

  it('has no two rules that look for nearly the same', async () => {
    const { rules, conditions } = (await compiled).rules
    const looks = rules.map(({ cre, terms }) => {
      const texts = terms.map(({ condition }) => conditions[condition]!.text)
      return [cre.id, texts.sort().join('\n')] as const
    })
    expect(findAlike(new Map(looks), trigramsOf, 0.85)).toEqual([])
  })
})

describe.each(folders)('$name', ({ name, id, files, text, logs }) => {
  it('has its three files', () => {
    expect(files).toEqual(['hit.log', 'miss.log', 'rule.yaml'])
  })

  it('is named after its rule, which derives its id and hash', async () => {
    expect((await ruleOf(id)).cre.id).toBe(name.toUpperCase())
    const metadata = /\n {4}metadata:\n((?: {6}.*\n)+)/.exec(text ?? '')?.[1]
    expect(metadata).toMatch(/^ {6}kind: omen\n {6}gen: [1-9]\d*\n$/)
  })

  it('has a title, a severity, a category and tags of the vocabularies', async () => {
    const { cre } = await ruleOf(id)
    expect(cre.author).toBe('Omen')
    expect(cre.title).toMatch(/^\S.*[^.\s]$/)
    expect(cre.title!.length).toBeLessThanOrEqual(LONGEST_TITLE)
    expect([0, 1, 2, 3, 4]).toContain(cre.severity)
    expect(Object.keys(categories)).toContain(cre.category)
    const known = { ...tags.symptoms, ...tags.technologies }
    expect(cre.tags?.filter((tag) => !(tag in known))).toEqual([])
    expect(cre.tags).toEqual([...new Set(cre.tags)])
    expect(count(cre.tags ?? [], (tag) => tag in tags.technologies)).toBeGreaterThanOrEqual(1)
    expect([1, 2, 3, 4]).toContain(count(cre.tags ?? [], (tag) => tag in tags.symptoms))
  })

  it('says what the problem is, and which commands help', async () => {
    const { cre, source } = await ruleOf(id)
    for (const prose of [cre.description, cre.cause, cre.impact, cre.mitigation]) expect(prose).toMatch(/\S/)
    const steps = cre.mitigation!.trimEnd().split(/\n(?=\S)/)
    expect(steps.filter((step) => !step.startsWith('- '))).toEqual([])
    expect(steps.length).toBeGreaterThanOrEqual(3)
    expect(cre.mitigation!.match(/`[^`\n]+`/g)?.length).toBeGreaterThanOrEqual(2)
    expect(cre.applications?.length).toBeGreaterThanOrEqual(1)
    expect(cre.references?.length).toBeGreaterThanOrEqual(1)
    for (const reference of cre.references ?? []) expect(new URL(reference).protocol).toBe('https:')
    expect(source).toMatch(/^cre\.log\.[a-z0-9]+([.-][a-z0-9]+)*$/)
  })

  it('fires on its hit.log', async () => {
    const { silent } = await confused
    expect(silent).not.toContain(id)
  })

  it('fires on no other log, unless overlaps.yaml says so', async () => {
    const { undeclared } = await confused
    expect(undeclared.filter(({ rule }) => rule === id)).toEqual([])
  })

  it('has logs whose times are read, and run forwards', async () => {
    for (const { name, bytes } of logs) {
      const warnings: string[] = []
      const back: unknown[] = []
      let last: bigint | undefined
      const read = readEntries(bytes, { now: TEST_DAY, warn: (message) => warnings.push(message) })
      for await (const { timestamp, line } of read) {
        if (last !== undefined && timestamp < last) back.push({ log: name, line })
        last = timestamp
      }
      expect(warnings, name).toEqual([])
      if (!OUT_OF_ORDER.includes(name)) expect(back).toEqual([])
    }
  })
})

describe('the confusion matrix', () => {
  it('has every rule on its own hit.log, and nothing else that is not declared', async () => {
    const { silent, undeclared, own, overlapping } = await confused
    console.log(drawMatrix({ silent, undeclared, own, overlapping }))
    expect({ silent, undeclared }).toEqual({ silent: [], undeclared: [] })
    expect(own).toHaveLength(folders.length)
  })
})

describe('overlaps.yaml', () => {
  it('has a reason for every overlap, once', () => {
    expect(overlaps.filter(({ rule, log, why }) => !rule || !log || !why)).toEqual([])
    const pairs = overlaps.map(({ rule, log }) => `${rule} ${log}`)
    expect(pairs).toEqual([...new Set(pairs)])
  })

  it('declares only what occurs', async () => {
    expect((await confused).stale).toEqual([])
  })
})

describe('the example logs', () => {
  const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))
  const firedOn = async (name: string, rules = compiled.then((all) => all.rules)) => {
    const { fired } = createScan(engine, await rules)({ name, bytes: readFileSync(examples + name) })
    return [...fired.values()].map(({ rule, count }) => [rule, count]).sort()
  }

  it.each([
    ['web.log', ['CRE-2026-10005']],
    ['postgres.log', ['CRE-2026-10001']],
    ['cluster.log', ['CRE-2026-10001', 'CRE-2026-10007', 'CRE-2026-10008', 'CRE-2026-10011']],
    ['app.jsonl', ['CRE-2026-10012']],
  ])('%s: one night, %j', async (name, expected) => {
    expect((await firedOn(name)).map(([rule]) => rule)).toEqual(expected)
  })

  it('web.log is where the custom rule fires, once', async () => {
    const text = readFileSync(`${examples}custom-rule.yaml`, 'utf8')
    expect(await firedOn('web.log', compileRules([{ name: 'custom-rule.yaml', text }]))).toEqual([['SHOP-0001', 1]])
  })
})
