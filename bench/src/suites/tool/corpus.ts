import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

export type ConditionKind = 'value' | 'regex' | 'jq'

export interface Condition {
  readonly kind: ConditionKind
  readonly text: string
}

export interface Corpus {
  /** How many rules. */
  readonly rules: number
  /** All of them as one YAML stream. */
  readonly text: string
  /** Every distinct condition, negating ones too: each has to be looked for. */
  readonly conditions: readonly Condition[]
  /** The conditions that are a rule by themselves: an entry that meets one is a detection. */
  readonly alone: readonly Condition[]
  /** Lines of the rules' own test logs. */
  readonly examples: readonly string[]
}

/**
 * Reads the rules in `folder`, one folder each with `rule.yaml` and `test.log`; `null` where there is no such folder.
 * The benchmark reads them itself, without the engine, because the opponents' patterns must not depend on what is measured.
 */
export function readCorpus(folder: string): Corpus | null {
  if (!existsSync(folder)) return null
  const names = readdirSync(folder).sort()
  const read = (name: string, file: string) => readFileSync(join(folder, name, file), 'utf8')
  const ruled = names.filter((name) => existsSync(join(folder, name, 'rule.yaml')))
  const texts = ruled.map((name) => read(name, 'rule.yaml').trimEnd())
  const logged = ruled.filter((name) => existsSync(join(folder, name, 'test.log')))
  const examples = logged.flatMap((name) => read(name, 'test.log').split('\n'))
  return {
    ...conditionsOf(texts),
    text: `${texts.join('\n---\n')}\n`,
    examples: examples.filter((line) => line !== ''),
  }
}

/** The conditions in rule documents, each once, in their order. */
export function conditionsOf(texts: readonly string[]): Pick<Corpus, 'rules' | 'conditions' | 'alone'> {
  const documents = texts.flatMap((text) => parseAllDocuments(text).map((document) => asMap(document.toJS())))
  const terms = Object.assign({}, ...documents.map((document) => asMap(document.terms)))
  const conditions = new Map<string, Condition>()
  const alone = new Map<string, Condition>()
  let rules = 0
  for (const rule of documents.flatMap((document) => asList(document.rules))) {
    const logic = asMap(asMap(rule).rule)
    // Where a document has both, the sequence counts.
    const body = asMap(logic.sequence ?? logic.set)
    const positive = [...asList(body.match), ...asList(body.order)].map((term) => conditionOf(term, terms))
    const negative = asList(body.negate).map((term) => conditionOf(term, terms))
    for (const { key, condition } of [...positive, ...negative]) conditions.set(key, condition)
    const [only] = positive
    if (positive.length === 1 && negative.length === 0 && only?.count === 1) alone.set(only.key, only.condition)
    rules++
  }
  return { rules, conditions: [...conditions.values()], alone: [...alone.values()] }
}

function conditionOf(term: unknown, terms: YamlMap): { key: string; condition: Condition; count: number } {
  const named = typeof term === 'string' ? term : asMap(term).value
  const shared = typeof named === 'string' ? terms[named] : undefined
  if (shared !== undefined) return conditionOf(shared, {})
  const map = typeof term === 'string' ? { value: term } : asMap(term)
  const kind = (['value', 'regex', 'jq'] as const).find((key) => map[key] !== undefined)
  if (!kind) throw new Error(`not a condition: ${JSON.stringify(term)}`)
  const text = String(map[kind])
  return { key: `${kind} ${text}`, condition: { kind, text }, count: Number(map.count ?? 1) }
}

type YamlMap = Record<string, unknown>

const asMap = (value: unknown): YamlMap => (value !== null && typeof value === 'object' ? (value as YamlMap) : {})
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
