import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../../bench/src/generate/families.js'
import { generateLog } from '../../../bench/src/generate/generate.js'
import { compileCatalogue, confusion, createScan, TEST_DAY } from '../../../scripts/catalogue/confusion.mjs'
import { quietLogs } from '../../../scripts/catalogue/quiet-logs.mjs'
import { type CatalogueFolder, readCatalogue } from '../../../scripts/catalogue/read-catalogue.mjs'
import { withIndex } from '../../../scripts/catalogue/rule-index.mjs'
import { compileRules, createDetector, RulesError, readEntries } from '../src/index.js'
import { findAlike, trigramsOf, wordsOf } from './catalogue/likeness.js'

const engine = { compileRules, createDetector, RulesError }
const catalogue = readCatalogue()
const { folders, overlaps, categories, tags } = catalogue
const compiled = compileCatalogue(engine, folders)

/** Which rules fire on a log where they should not, and which do not fire on their own, over all logs of the catalogue and ordinary ones. */
const confused = compiled.then(({ rules }) =>
  confusion(engine, { rules, folders, overlaps, quiet: quietLogs({ generateLog, FAMILIES }) }),
)

/** Logs whose times go backwards because their rule detects that. */
const OUT_OF_ORDER: readonly string[] = []

const LONGEST_TITLE = 80

type CompiledRule = Awaited<typeof compiled>['rules']['rules'][number]

async function ruleOf(id: string): Promise<CompiledRule> {
  const { rules, broken } = await compiled
  const rule = rules.rules.find(({ cre }) => cre.id === id)
  if (rule === undefined) throw new Error(`${id} does not compile: ${JSON.stringify(broken)}`)
  return rule
}

const count = <T>(list: readonly T[], isOne: (item: T) => boolean) => list.filter(isOne).length

describe('the catalogue', () => {
  it('loads as one package without warnings', async () => {
    const { rules, broken } = await compiled
    expect(broken).toEqual([])
    expect(rules.warnings).toEqual([])
    expect(rules.lint).toEqual([])
    expect(rules.rules.map(({ cre }) => cre.id)).toEqual(folders.map(({ id }) => id))
  })

  it('has many rules for many applications, and uses all features of the language', async () => {
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
    const wanted = [150, 40, 30, 20, 10, 15]
    const short = Object.entries(totals).filter(([, amount], index) => amount < wanted[index]!)
    expect(short).toEqual([])
  })

  it('uses every word of its vocabularies in a rule', async () => {
    const { rules } = (await compiled).rules
    const used = new Set(rules.flatMap(({ cre }) => [...(cre.tags ?? []), cre.category]))
    const words = [categories, tags.symptoms, tags.technologies].flatMap((vocabulary) => Object.keys(vocabulary))
    expect(words.filter((word) => !used.has(word))).toEqual([])
    expect(words).toEqual([...new Set(words)])
  })

  it('keeps its vocabularies sorted, each word with its meaning', () => {
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

  it('has no two rules that look for nearly the same strings', async () => {
    const { rules, conditions } = (await compiled).rules
    const conditionsOf = rules.map(({ cre, terms }) => {
      const texts = terms.map(({ condition }) => conditions[condition]!.text)
      return [cre.id, texts.sort().join('\n')] as const
    })
    expect(findAlike(new Map(conditionsOf), trigramsOf, 0.85)).toEqual([])
  })
})

interface RuleCheck {
  readonly property: string
  /** The violations of one rule; empty if the property holds. */
  readonly offences: (rule: CompiledRule, folder: CatalogueFolder) => readonly unknown[] | Promise<readonly unknown[]>
}

/** The names of the conditions that do not hold. */
const failing = (conditions: Readonly<Record<string, boolean>>) =>
  Object.keys(conditions).filter((name) => !conditions[name])

const METADATA = /\n {4}metadata:\n((?: {6}.*\n)+)/

const CHECKS: readonly RuleCheck[] = [
  {
    property: 'has exactly rule.yaml, hit.log and miss.log',
    offences: (_, { files }) => (files.join() === 'hit.log,miss.log,rule.yaml' ? [] : files),
  },
  {
    property: 'is named after its folder, and leaves its id and hash to be derived',
    offences: ({ cre }, { name, text }) =>
      failing({
        'the id is the name of the folder': cre.id === name.toUpperCase(),
        'metadata has kind and gen only': /^ {6}kind: omen\n {6}gen: [1-9]\d*\n$/.test(
          METADATA.exec(text ?? '')?.[1] ?? '',
        ),
      }),
  },
  {
    property: 'has a title, a severity, a category, and tags of the vocabularies',
    offences: ({ cre }) => {
      const { title = '', tags: used = [] } = cre
      const symptoms = count(used, (tag) => tag in tags.symptoms)
      return failing({
        'the author is Omen': cre.author === 'Omen',
        'the title has no full stop and no space at its ends': /^\S.*[^.\s]$/.test(title),
        [`the title has at most ${LONGEST_TITLE} characters`]: title.length <= LONGEST_TITLE,
        'the severity is a number from 0 to 4': [0, 1, 2, 3, 4].includes(cre.severity as number),
        'the category is known': cre.category !== undefined && cre.category in categories,
        'all tags are known': used.every((tag) => tag in tags.symptoms || tag in tags.technologies),
        'no tag is repeated': new Set(used).size === used.length,
        'there is a tag for the technology': used.some((tag) => tag in tags.technologies),
        'there are 1 to 4 tags for symptoms': symptoms >= 1 && symptoms <= 4,
      })
    },
  },
  {
    property: 'says what the problem is, and which commands help',
    offences: ({ cre, source }) => {
      const steps = (cre.mitigation ?? '').trimEnd().split(/\n(?=\S)/)
      return failing({
        'description, cause, impact and mitigation are written': [
          cre.description,
          cre.cause,
          cre.impact,
          cre.mitigation,
        ].every((prose) => /\S/.test(prose ?? '')),
        'the mitigation is a list': steps.every((step) => step.startsWith('- ')),
        'the mitigation has at least 3 steps': steps.length >= 3,
        'the mitigation has at least 2 commands': (cre.mitigation?.match(/`[^`\n]+`/g)?.length ?? 0) >= 2,
        'an application is named': (cre.applications?.length ?? 0) >= 1,
        'a reference is given': (cre.references?.length ?? 0) >= 1,
        'references are HTTPS addresses': (cre.references ?? []).every((url) => new URL(url).protocol === 'https:'),
        'the source is a type of log': /^cre\.log\.[a-z0-9]+([.-][a-z0-9]+)*$/.test(source),
      })
    },
  },
  {
    property: 'fires on its hit.log',
    offences: async ({ cre }) => ((await confused).silent.includes(cre.id) ? ['silent'] : []),
  },
  {
    property: 'fires on no other log, unless overlaps.yaml says so',
    offences: async ({ cre }) => (await confused).undeclared.filter(({ rule }) => rule === cre.id),
  },
  {
    property: 'has logs whose times are read, and run forwards',
    offences: async (_, { logs }) => (await Promise.all(logs.map(timeOffences))).flat(),
  },
]

const SECOND = 1_000_000_000n

async function timeOffences({ name, bytes }: CatalogueFolder['logs'][number]): Promise<unknown[]> {
  const offences: unknown[] = []
  let last: bigint | undefined
  const read = readEntries(bytes, { now: TEST_DAY, warn: (message) => offences.push({ log: name, message }) })
  for await (const { timestamp, line } of read) {
    // A format with whole seconds among others with fractions is up to a second behind.
    if (last !== undefined && timestamp <= last - SECOND && !OUT_OF_ORDER.includes(name))
      offences.push({ log: name, line })
    last = timestamp
  }
  return offences
}

describe('every rule of the catalogue', () => {
  for (const { property, offences } of CHECKS) {
    it(property, async () => {
      const found = await Promise.all(
        folders.map(async (folder) => [folder.name, await offences(await ruleOf(folder.id), folder)] as const),
      )
      expect(Object.fromEntries(found.filter(([, wrong]) => wrong.length > 0))).toEqual({})
    })
  }
})

describe('the confusion matrix', () => {
  it('shows every rule on its own hit.log, and otherwise only declared overlaps', async () => {
    const { silent, undeclared, own } = await confused
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

  it('declares only overlaps that occur', async () => {
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
  ])('%s has the problems %j', async (name, expected) => {
    expect((await firedOn(name)).map(([rule]) => rule)).toEqual(expected)
  })

  it('the custom rule fires once on web.log', async () => {
    const text = readFileSync(`${examples}custom-rule.yaml`, 'utf8')
    expect(await firedOn('web.log', compileRules([{ name: 'custom-rule.yaml', text }]))).toEqual([['SHOP-0001', 1]])
  })
})
