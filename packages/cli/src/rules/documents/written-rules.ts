import { createLocator, type DocumentNode, entryOf, type MapNode, type Position, readYaml } from '@omen/engine'
import type { RuleFile } from '../loading/rule-files.js'

/** A rule as written in its document. */
export interface WrittenRule {
  readonly node: MapNode
  /** The `cre` map, if there is one. */
  readonly cre: MapNode | undefined
  readonly id: string | undefined
}

/** A document with its rules, which may be invalid. */
export interface WrittenDocument {
  readonly file: string
  readonly text: string
  readonly documents: readonly DocumentNode[]
  readonly rules: readonly WrittenRule[]
  readonly locate: (offset: number) => Position
}

/** Parses a document without checking it. Undefined if it cannot be decoded. */
export async function readWrittenRules(file: RuleFile): Promise<WrittenDocument | undefined> {
  const text = await documentText(file)
  if (text === undefined) return undefined
  const { documents } = await readYaml(text)
  return { file: file.name, text, documents, rules: documents.flatMap(rulesOf), locate: createLocator(text) }
}

function rulesOf(document: DocumentNode): WrittenRule[] {
  const list = document.kind === 'map' ? entryOf(document, 'rules')?.value : undefined
  if (list?.kind !== 'list') return []
  return list.items.flatMap((node) => (node.kind === 'map' ? [writtenRule(node)] : []))
}

function writtenRule(node: MapNode): WrittenRule {
  const cre = mapAt(node, 'cre')
  const id = cre && entryOf(cre, 'id')?.value
  return { node, cre, id: id?.kind === 'scalar' ? id.text : undefined }
}

/** The map under a key, if there is one. */
export function mapAt(node: MapNode, key: string): MapNode | undefined {
  const value = entryOf(node, key)?.value
  return value?.kind === 'map' ? value : undefined
}

/** A condition as written, with its offset. */
export interface WrittenCondition {
  readonly kind: 'literal' | 'regex' | 'jq'
  readonly text: string
  readonly at: number
  readonly creId: string | undefined
}

const KINDS = { value: 'literal', regex: 'regex', jq: 'jq' } as const

/** Every condition of a document: those of its rules, then those of its named terms. References to terms are left out. */
export function writtenConditions({ documents, rules }: WrittenDocument): WrittenCondition[] {
  const terms = new Map(documents.flatMap((document) => [...(namedTerms(document)?.entries ?? [])]))
  const found: WrittenCondition[] = []
  const add = (node: DocumentNode, creId: string | undefined) => {
    const condition = conditionOf(node)
    if (condition === undefined || (condition.kind === 'literal' && terms.has(condition.text))) return
    found.push({ ...condition, creId })
  }
  for (const { node, id } of rules) for (const term of termsOf(node)) add(term, id)
  for (const { value } of terms.values()) add(value, undefined)
  return found
}

/** The `terms` of a document. */
export function namedTerms(document: DocumentNode): MapNode | undefined {
  return document.kind === 'map' ? mapAt(document, 'terms') : undefined
}

/** The terms of a rule, positive ones first. */
export function termsOf(rule: MapNode): DocumentNode[] {
  const body = mapAt(rule, 'rule')
  const group = body && (mapAt(body, 'sequence') ?? mapAt(body, 'set'))
  if (group === undefined) return []
  return ['match', 'order', 'negate'].flatMap((key) => {
    const list = entryOf(group, key)?.value
    return list?.kind === 'list' ? [...list.items] : []
  })
}

/** The condition of a term. */
export function conditionOf(node: DocumentNode): Omit<WrittenCondition, 'creId'> | undefined {
  if (node.kind === 'scalar') return { kind: 'literal', text: node.text, at: node.start }
  if (node.kind !== 'map') return undefined
  for (const [key, kind] of Object.entries(KINDS)) {
    const value = entryOf(node, key)?.value
    if (value?.kind === 'scalar') return { kind, text: value.text, at: value.start }
  }
  return undefined
}

/** The limit of the engine, so that a decompression bomb is not unpacked further. */
const LONGEST_TEXT = 64 * 1024 * 1024

/**
 * The text of a rule document, decompressed and without a byte order mark. Undefined if it cannot be decoded, which the compiler
 * reports.
 */
async function documentText({ bytes }: RuleFile): Promise<string | undefined> {
  try {
    const text = Buffer.from(await unpack(bytes)).toString('utf8')
    return text.startsWith('\ufeff') ? text.slice(1) : text
  } catch {
    return undefined
  }
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const { gunzipSync } = await import('node:zlib')
  return gunzipSync(bytes, { maxOutputLength: LONGEST_TEXT })
}
