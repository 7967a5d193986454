import type { Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { quote } from '../../messages/quote.js'
import {
  type DocumentNode,
  isNothing,
  type MapEntry,
  type MapNode,
  type ScalarStyle,
  type SyntaxProblem,
  scalarValue,
} from './tree.js'

type Yaml = typeof import('yaml')

/** How many nodes the aliases of one document may expand to. Real documents share a handful; a YAML bomb has billions. */
const MAX_ALIASED_NODES = 1_000_000

const STYLES: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

const CORE = 'tag:yaml.org,2002:'

/** The types that a tag may ask for, with what the value must then be. */
const SCALAR_TAGS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['!', () => true],
  [`${CORE}str`, () => true],
  [`${CORE}int`, (value: unknown) => Number.isInteger(value)],
  [`${CORE}float`, (value: unknown) => typeof value === 'number'],
  [`${CORE}bool`, (value: unknown) => typeof value === 'boolean'],
  [`${CORE}null`, (value: unknown) => value === null],
])

const TEXT_TAGS: ReadonlySet<string> = new Set(['!', `${CORE}str`])

interface Built {
  readonly node: DocumentNode
  /** The number of nodes in it, aliases counted each time. */
  readonly size: number
}

/**
 * Turns a composed document into the engine's tree: aliases become the node that they name, merge keys are merged, a repeated
 * key is a problem. Returns undefined for an empty document and for one with problems.
 */
export function buildTree(yaml: Yaml, document: Document.Parsed, problems: SyntaxProblem[]): DocumentNode | undefined {
  if (document.contents === null) return undefined
  const before = problems.length
  const root = new TreeBuilder(yaml, problems).build(document.contents as Node)
  return problems.length > before || isNothing(root.node) ? undefined : root.node
}

class TreeBuilder {
  readonly #yaml: Yaml
  readonly #problems: SyntaxProblem[]
  /** What each anchor names so far; null while its node is still being built. */
  readonly #anchors = new Map<string, Built | null>()
  #aliased = 0

  constructor(yaml: Yaml, problems: SyntaxProblem[]) {
    this.#yaml = yaml
    this.#problems = problems
  }

  build(node: Node): Built {
    if (this.#yaml.isAlias(node)) return this.#alias(node.source, node.range![0])
    const anchor = (node as { anchor?: string }).anchor
    if (anchor !== undefined) this.#anchors.set(anchor, null)
    const built = this.#content(node)
    if (anchor !== undefined) this.#anchors.set(anchor, built)
    return built
  }

  #content(node: Node): Built {
    if (this.#yaml.isMap(node)) return this.#map(node)
    if (this.#yaml.isSeq(node)) return this.#list(node)
    return this.#scalar(node as Scalar)
  }

  #alias(name: string, at: number): Built {
    const target = this.#anchors.get(name)
    const alias = `the alias ${quote(`*${name}`)}`
    if (target === undefined) return this.#refuse('bad-alias', at, `${alias} names no anchor before it`)
    if (target === null) return this.#refuse('bad-alias', at, `${alias} is inside the node that it names`)
    this.#aliased += target.size
    if (this.#aliased <= MAX_ALIASED_NODES) return target
    if (this.#aliased - target.size > MAX_ALIASED_NODES) return nothing(at)
    return this.#refuse('too-complex', at, 'the aliases of this document repeat too much')
  }

  #scalar(node: Scalar): Built {
    const [start, end] = node.range!
    const style = STYLES[node.type ?? 'PLAIN'] ?? 'plain'
    const text = String(node.source ?? '')
    const isText = node.tag === undefined ? style !== 'plain' : TEXT_TAGS.has(node.tag)
    const scalar = { kind: 'scalar', start, end, style, isText, text } as const
    if (node.tag === undefined) return { node: scalar, size: 1 }
    const fits = SCALAR_TAGS.get(node.tag)
    if (fits === undefined) return this.#unknownTag(node.tag, start)
    if (fits(scalarValue(scalar))) return { node: scalar, size: 1 }
    return this.#refuse('bad-tag', start, `${quote(text)} does not fit its tag ${shortTag(node.tag)}`)
  }

  #list(node: YAMLSeq): Built {
    const start = node.range![0]
    if (node.tag !== undefined && node.tag !== `${CORE}seq`) return this.#unknownTag(node.tag, start)
    let size = 1
    const items = node.items.map((item) => {
      const built = this.build(item as Node)
      size += built.size
      return built.node
    })
    return { node: { kind: 'list', start, items }, size }
  }

  #map(node: YAMLMap): Built {
    const start = node.range![0]
    if (node.tag !== undefined && node.tag !== `${CORE}map`) return this.#unknownTag(node.tag, start)
    const entries = new Map<string, MapEntry>()
    const merged: DocumentNode[] = []
    let size = 1
    for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
      const name = this.build(key)
      const built = value === null ? nothing(name.node.start) : this.build(value)
      size += built.size
      const { start, kind } = name.node
      if (kind !== 'scalar') this.#refuse('yaml', start, 'a key is a string, not a list or map')
      else if (name.node.text === '<<' && !name.node.isText) merged.push(built.node)
      else if (!entries.has(name.node.text)) entries.set(name.node.text, { start, value: built.node })
      else this.#refuse('duplicate-key', start, `the key ${quote(name.node.text)} occurs twice in one map`)
    }
    for (const source of merged) this.#merge(source, entries)
    return { node: { kind: 'map', start, entries }, size }
  }

  /** Adds the keys that the map does not have itself; of several sources the first one wins. */
  #merge(source: DocumentNode, entries: Map<string, MapEntry>): void {
    for (const map of source.kind === 'list' ? source.items : [source]) {
      if (map.kind !== 'map') this.#refuse('bad-merge', map.start, 'a merge key << takes a map, or a list of maps')
      else for (const [key, entry] of (map as MapNode).entries) if (!entries.has(key)) entries.set(key, entry)
    }
  }

  #unknownTag(tag: string, at: number): Built {
    return this.#refuse('bad-tag', at, `the tag ${shortTag(tag)} has no meaning in a rule document: leave it out`)
  }

  #refuse(code: SyntaxProblem['code'], at: number, message: string): Built {
    this.#problems.push({ code, at, message })
    return nothing(at)
  }
}

function shortTag(tag: string): string {
  return quote(tag.startsWith(CORE) ? `!!${tag.slice(CORE.length)}` : tag)
}

function nothing(at: number): Built {
  return { node: { kind: 'scalar', start: at, end: at, style: 'plain', isText: false, text: '' }, size: 1 }
}
