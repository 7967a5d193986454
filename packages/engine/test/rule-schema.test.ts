import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readCatalogue } from '../../../scripts/catalogue/read-catalogue.mjs'
import { compileRules, KEYS, type KeyPlace, type KnownKey, RulesError } from '../src/index.js'
import { hasShared, sharedFolder } from './contract.js'
import { changedDocument } from './rule-schema/mutations.js'
import { documentsIn, fits, objections, type SchemaPart, schema } from './rule-schema/schema.js'

const { folders, categories, tags } = readCatalogue()

/** The definitions of the schema for each place of the language, with the keys that they omit. */
const PLACES: Readonly<Record<KeyPlace, Readonly<Record<string, (key: string, known: KnownKey) => boolean>>>> = {
  document: { '': () => false },
  footer: { footer: () => false },
  entry: { entry: () => false },
  cre: { cre: () => false },
  application: { application: () => false },
  metadata: { metadata: () => false },
  rule: { rule: () => false },
  set: { set: () => false },
  sequence: { sequence: () => false },
  event: { event: () => false },
  term: {
    positiveTermMap: (_, { negateOnly }) => negateOnly === true,
    negateTermMap: (key) => key === 'extract',
    namedTermMap: () => false,
  },
  extract: { extract: () => false },
}

/** Places where the engine rejects unknown keys. */
const CLOSED: readonly KeyPlace[] = ['rule', 'set', 'sequence', 'term', 'extract']

const partAt = (name: string): SchemaPart => (name === '' ? schema : schema.$defs![name]!)

const definitions = Object.entries(PLACES).flatMap(([place, names]) =>
  Object.entries(names).map(([name, isLeftOut]) => ({ place: place as KeyPlace, name, isLeftOut })),
)

describe.each(definitions)('the schema of $place $name', ({ place, name, isLeftOut }) => {
  const known: Readonly<Record<string, KnownKey>> = KEYS[place]
  const part = partAt(name)

  it('has the keys that the engine knows', () => {
    const usable = Object.keys(known).filter((key) => !known[key]!.unsupported && !isLeftOut(key, known[key]!))
    expect(Object.keys(part.properties ?? {}).sort()).toEqual(usable.sort())
  })

  it('requires what the engine requires', () => {
    const required = Object.keys(known).filter((key) => known[key]!.required)
    expect((part.required ?? []).filter((key) => key !== 'window').toSorted()).toEqual(required.sort())
  })

  it('is closed where the engine is', () => {
    expect(part.additionalProperties === false).toBe(CLOSED.includes(place))
  })

  it('describes each key, with examples that fit', () => {
    for (const [key, property] of Object.entries(part.properties ?? {})) {
      if (typeof property === 'boolean') continue
      expect(property.description, key).toMatch(/^[A-Z0-9`].*[.]$/s)
      const pointer = `${name === '' ? '' : `/$defs/${name}`}/properties/${key}`
      const wrong = (property.examples ?? []).filter((example) => !fits(pointer, example))
      expect(wrong, key).toEqual([])
    }
  })
})

describe('the completions of the schema', () => {
  const examplesOf = (key: string) => (partAt('cre').properties![key] as SchemaPart).examples

  it('are the categories of the catalogue', () => {
    expect(examplesOf('category')).toEqual(Object.keys(categories))
  })

  it('are tags of the catalogue', () => {
    const known = { ...tags.symptoms, ...tags.technologies }
    expect((examplesOf('tags') as string[][]).flat().filter((tag) => !(tag in known))).toEqual([])
  })
})

describe('the schema accepts the rule document', () => {
  it.each(folders)('$name', ({ text }) => {
    expect(documentsIn(text ?? '').flatMap(objections)).toEqual([])
  })

  it('the footer of a package', () => {
    expect(objections({ section: 'version', content: [{ version: '1.4.0' }] })).toEqual([])
    expect(objections({ section: 'version', content: [{ version: 'soon' }] })).not.toEqual([])
    expect(objections({ section: 'version' })).not.toEqual([])
  })

  describe.runIf(hasShared)('the schema accepts the rules of the corpus:', () => {
    const corpus = join(sharedFolder, 'corpus/cre')
    const cases = hasShared ? readdirSync(corpus).filter((name) => name.startsWith('cre-')) : []

    it.each(cases)('%s', (name) => {
      const text = readFileSync(join(corpus, name, 'rule.yaml'), 'utf8')
      expect(documentsIn(text).flatMap(objections)).toEqual([])
    })
  })
})

/** Mistakes that a schema cannot find: in patterns, in filters, in other documents, and in names of terms. */
const NOT_IN_THE_FORM: readonly string[] = [
  ...['not-yaml', 'empty-file', 'regex-bad', 'regex-backreference', 'regex-lookahead', 'jq-bad'],
  ...['set-one-with-window', 'sequence-one', 'anchor-range'],
  ...['duplicate-cre-id', 'duplicate-rule-hash', 'duplicate-term', 'term-cycle'],
]

describe.runIf(hasShared)('the schema rejects what the contract rejects', () => {
  const path = join(sharedFolder, 'conformance/refusals.jsonl')
  const lines = hasShared ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
  const refusals: { readonly id: string; readonly rule: string; readonly about: string }[] = lines.map((line) =>
    JSON.parse(line),
  )

  it.each(refusals.filter(({ id }) => !NOT_IN_THE_FORM.includes(id)))('$id: $about', ({ rule }) => {
    expect(documentsIn(rule).flatMap(objections)).not.toEqual([])
  })

  it('except for a list of vectors, all of which exist', () => {
    expect(NOT_IN_THE_FORM.filter((id) => refusals.every((refusal) => refusal.id !== id))).toEqual([])
  })
})

/** Problems that the schema finds whenever the engine does. */
const SEEN_BY_BOTH: ReadonlySet<string> = new Set([
  ...['missing', 'wrong-type', 'unknown-key', 'unsupported', 'bad-cre-id', 'bad-severity', 'bad-rule-id', 'no-rules'],
  ...['no-conditions', 'bad-duration', 'window-not-positive', 'condition-missing', 'condition-conflict'],
  ...['empty-condition', 'bad-count', 'negate-only', 'negate-extract', 'bad-section'],
])

async function compile(text: string): Promise<{ accepted: boolean; codes: string[]; remarks: string[] }> {
  try {
    const { warnings } = await compileRules([{ name: 'changed.yaml', text }])
    return { accepted: true, codes: [], remarks: warnings.map(({ message }) => message) }
  } catch (error) {
    if (!(error instanceof RulesError)) throw error
    return { accepted: false, codes: error.problems.map(({ code }) => code), remarks: [] }
  }
}

describe('the schema and the engine', () => {
  it('agree on documents with random changes', async () => {
    await fc.assert(
      fc.asyncProperty(changedDocument, async (document) => {
        const { accepted, codes, remarks } = await compile(stringify(document))
        // The engine does not look into a set that a sequence replaces; an editor shows what is wrong with it.
        if (remarks.some((remark) => remark.includes('the set is ignored'))) return
        const found = objections(document)
        if (accepted) expect(found).toEqual([])
        if (codes.some((code) => SEEN_BY_BOTH.has(code))) expect({ codes, found }).not.toEqual({ codes, found: [] })
      }),
      { numRuns: 500 },
    )
  })
})
