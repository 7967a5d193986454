/** How a scalar is written, which decides at which offsets its characters are. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/** Offsets count UTF-16 units from the start of the file. */
export interface ScalarNode {
  readonly kind: 'scalar'
  readonly start: number
  readonly end: number
  readonly style: ScalarStyle
  /** Quoted, in a block or tagged as a string: never a number, a boolean or null. */
  readonly isText: boolean
  /** The text as written, before it is interpreted as a number, a boolean or null. */
  readonly text: string
}

export interface ListNode {
  readonly kind: 'list'
  readonly start: number
  readonly items: readonly DocumentNode[]
}

export interface MapEntry {
  /** The offset of the key. */
  readonly start: number
  readonly value: DocumentNode
}

export interface MapNode {
  readonly kind: 'map'
  readonly start: number
  readonly entries: ReadonlyMap<string, MapEntry>
}

/** A part of a document. An alias is the very node that it names, so a node may occur in several places. */
export type DocumentNode = ScalarNode | ListNode | MapNode

/** Something wrong with the YAML of a file. */
export interface SyntaxProblem {
  readonly code: 'yaml' | 'too-deep' | 'too-complex' | 'duplicate-key' | 'bad-alias' | 'bad-merge' | 'bad-tag'
  readonly at: number
  readonly message: string
}

/** The content of a file: its documents that are not empty, and the problems in them. */
export interface ParsedFile {
  readonly documents: readonly DocumentNode[]
  readonly problems: readonly SyntaxProblem[]
}

const NULL = /^(?:~|null|Null|NULL)?$/
const TRUE = /^(?:true|True|TRUE)$/
const FALSE = /^(?:false|False|FALSE)$/
const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/
const FLOAT = /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/

/** The value of a scalar in YAML 1.2's core schema. */
export function scalarValue({ isText, text }: ScalarNode): string | number | boolean | null {
  if (isText) return text
  if (NULL.test(text)) return null
  if (TRUE.test(text)) return true
  if (FALSE.test(text)) return false
  if (INTEGER.test(text)) return Number(text)
  if (FLOAT.test(text)) return floatValue(text)
  return text
}

function floatValue(text: string): number {
  if (/nan$/i.test(text)) return Number.NaN
  if (/inf$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(text)
}

/** Whether a node is null: an empty value, `~` or `null`. Such a value counts as absent. */
export function isNothing(node: DocumentNode): boolean {
  return node.kind === 'scalar' && !node.isText && node.text.length <= 4 && NULL.test(node.text)
}

/** The value of a key, unless it is absent or null. */
export function entryOf(map: MapNode, key: string): MapEntry | undefined {
  const entry = map.entries.get(key)
  return entry === undefined || isNothing(entry.value) ? undefined : entry
}
