import { type Document, isMap, isSeq, parseAllDocuments, type YAMLMap } from 'yaml'

/** One rule of a package, every value as the string that its author wrote. */
export interface ReadRule {
  readonly id: string
  readonly title: string
  readonly severity: number
  readonly category: string
  readonly tags: readonly string[]
  readonly applications: readonly string[]
  readonly description: string
  readonly cause: string
  readonly impact: string
  readonly mitigation: string
  readonly references: readonly string[]
  readonly yaml: string
}

/** As in packing: `3.10` does not become `3.1`. */
const READ = { schema: 'failsafe', logLevel: 'silent' } as const

/** A rule without a severity counts as critical. */
const CRITICAL = 0

/**
 * Reads the rules of a package for display: the description of each, and its document. Packages were compiled before
 * they were published, so malformed deps are left out instead of rejected.
 *
 * @example
 * readRules('rules:\n  - cre: {id: SHOP-0001, title: Checkout lost its database}\n').rules[0].id // 'SHOP-0001'
 */
export function readRules(text: string): { readonly version: string; readonly rules: readonly ReadRule[] } {
  const parsed = parseAllDocuments(text, READ)
  const documents = Array.isArray(parsed) ? (parsed as Document.Parsed[]).filter(({ contents }) => isMap(contents)) : []
  const footer = documents.find((document) => document.get('section') === 'version')
  const rules = documents.flatMap((document) => {
    const list = document.get('rules')
    const items = isSeq(list) ? list.items.filter((item) => isMap(item)) : []
    return items.flatMap((item) => readRule(item, documentOf(text, document, item, items.length)) ?? [])
  })
  return { version: textOf(footer?.getIn(['content', 0, 'version'])), rules }
}

function readRule(rule: YAMLMap, yaml: string): ReadRule | undefined {
  const node = rule.get('cre')
  const cre: Readonly<Record<string, unknown>> = isMap(node) ? node.toJSON() : {}
  const id = textOf(cre.id)
  if (id === '') return undefined
  return {
    id,
    title: textOf(cre.title),
    severity: severityOf(cre.severity),
    category: textOf(cre.category),
    tags: textsOf(cre.tags),
    applications: namesOf(cre.applications),
    description: textOf(cre.description),
    cause: textOf(cre.cause),
    impact: textOf(cre.impact),
    mitigation: textOf(cre.mitigation),
    references: textsOf(cre.references),
    yaml,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(textOf).filter((text) => text !== '') : []

const namesOf = (value: unknown): string[] =>
  Array.isArray(value) ? textsOf(value.map((item: unknown) => (item as { name?: unknown } | null)?.name)) : []

function severityOf(value: unknown): number {
  const severity = Number(textOf(value))
  return Number.isInteger(severity) && severity >= 0 ? severity : CRITICAL
}

/** The document of one rule: the whole document, or its part of a document with several rules. */
function documentOf(text: string, document: Document.Parsed, rule: YAMLMap, rules: number): string {
  if (rules === 1) return `${sliceOf(text, document.contents).trimEnd()}\n`
  const terms = document.get('terms')
  const shared = isMap(terms) ? `terms:\n${indented(sliceOf(text, terms), columnOf(text, terms), 2)}\n` : ''
  return `${shared}rules:\n${indented(sliceOf(text, rule), columnOf(text, rule), 4).replace(/^ {4}/, '  - ')}\n`
}

interface Ranged {
  readonly range?: readonly number[] | null | undefined
}

function sliceOf(text: string, node: Ranged | null): string {
  const [start = 0, end = 0] = node?.range ?? []
  return text.slice(start, end)
}

/** The column of a node. */
function columnOf(text: string, { range }: Ranged): number {
  const start = range?.[0] ?? 0
  return start - (text.lastIndexOf('\n', start - 1) + 1)
}

/** Lines with another indentation. */
function indented(slice: string, from: number, to: number): string {
  const lines = slice.trimEnd().split('\n')
  return lines
    .map((line, at) => (line === '' ? '' : ' '.repeat(to) + (at === 0 ? line : withdrawn(line, from))))
    .join('\n')
}

function withdrawn(line: string, columns: number): string {
  const blanks = line.length - line.trimStart().length
  return line.slice(Math.min(columns, blanks))
}
