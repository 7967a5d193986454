import {
  type DocumentNode,
  entryOf,
  isNothing,
  type ListNode,
  type MapEntry,
  type MapNode,
  readYaml,
} from '@omen/engine'
import { quote } from '@omen/engine/messages'
import type { Findings } from './findings.js'
import { describeScalar, describeShape, readScalar, type ScalarContext } from './scalars.js'
import type { Key, Keys, MapValue, Shape } from './shape.js'
import { describeSyntaxProblem } from './syntax-hints.js'
import { warnAboutUnknownKeys } from './unknown-keys.js'

/** A document that has been read. */
export interface ReadDocument<K extends Keys> {
  readonly value: MapValue<K>
  /** The offsets of values that are not in a list, by the full name of their key. */
  readonly places: ReadonlyMap<string, number>
}

interface Context extends ScalarContext {
  readonly text: string
  readonly root: Keys
  readonly findings: Findings
  readonly places: Map<string, number>
}

type ListShape = Extract<Shape, { readonly is: 'list' }>

/** The key of a value, with its full name: `rules.paths`, `timestamps[0].format`. */
interface Named extends Pick<Key, 'secret'> {
  readonly name: string
}

/**
 * Reads YAML according to a table of keys. Reports every error and a warning for every unknown key; returns undefined if there are
 * errors.
 *
 * @example
 * const findings = createFindings('config.yaml', text)
 * const document = await readDocument(text, CONFIG_KEYS, { findings, resolve })
 * throwErrors('Config', findings.errors())
 */
export async function readDocument<K extends Keys>(
  text: string,
  keys: K,
  { findings, resolve }: { readonly findings: Findings } & ScalarContext,
): Promise<ReadDocument<K> | undefined> {
  const { documents, problems } = await readYaml(text)
  if (problems.length > 0) {
    for (const problem of problems) findings.error(problem.at, describeSyntaxProblem(problem, text))
    return undefined
  }
  const [first, second] = documents
  if (second !== undefined) {
    findings.error(second.start, 'a second document: the file must have only one, so remove the --- before this')
  }
  const places = new Map<string, number>()
  const context = { text, root: keys, findings, places, resolve }
  const value = first === undefined ? readMap(EMPTY, keys, '', context) : readRoot(first, keys, context)
  return findings.errors().length > 0 ? undefined : { value: value as MapValue<K>, places }
}

const EMPTY: MapNode = { kind: 'map', start: 0, entries: new Map() }

function readRoot(node: DocumentNode, keys: Keys, context: Context): unknown {
  if (node.kind === 'map') return readMap(node, keys, '', context)
  const known = Object.keys(keys).slice(0, 3).join(', ')
  const message = `the file must be a map of keys (${known} …), not ${node.kind === 'list' ? 'a list' : 'a string'}`
  context.findings.error(node.start, message)
  return undefined
}

function readNode(node: DocumentNode, shape: Shape, key: Named, context: Context): unknown {
  if (shape.is === 'map') return readMapAt(node, shape.keys, key, context)
  if (shape.is === 'list') return readList(node, shape, key, context)
  const { findings } = context
  if (node.kind !== 'scalar') {
    const bracket = context.text[node.start]!
    const hint = bracket === '[' || bracket === '{' ? `: put a string that starts with ${bracket} in quotes` : ''
    findings.error(node.start, `${key.name} must be ${describeShape(shape)}, not a ${node.kind}${hint}`)
    return undefined
  }
  const result = readScalar(node, shape, context, { secret: key.secret === true })
  if ('value' in result) return result.value
  findings.error(node.start, `${key.name} ${result.error}`)
  return undefined
}

function readMapAt(node: DocumentNode, keys: Keys, { name }: Named, context: Context): unknown {
  if (node.kind === 'map') return readMap(node, keys, name, context)
  // The value is not shown: it may be a webhook that was written instead of its map.
  const what = node.kind === 'list' ? 'a list' : 'a single value'
  const example = Object.keys(keys)
    .slice(0, 2)
    .map((key) => `${key}: …`)
  context.findings.error(node.start, `${name} must be a map such as {${example.join(', ')}}, not ${what}`)
  return undefined
}

/** A single scalar counts as a list of one item. */
function readList(
  node: DocumentNode,
  { of: item, filled }: ListShape,
  { name, secret }: Named,
  context: Context,
): unknown {
  const isSingle = node.kind === 'scalar' && item.is !== 'map'
  if (node.kind !== 'list' && !isSingle) {
    const what = node.kind === 'map' ? 'a map: put a dash before its first key' : describeScalar(node)
    context.findings.error(node.start, `${name} must be a list, not ${what}`)
    return undefined
  }
  const items = isSingle ? [node] : (node as ListNode).items
  if (filled && items.length === 0) context.findings.error(node.start, `${name} is empty: add at least one item`)
  return items.map((value, index) => {
    const named = { name: isSingle ? name : `${name}[${index}]`, ...(secret && { secret }) }
    if (!isNothing(value)) return readNode(value, item, named, context)
    context.findings.error(value.start, `${named.name} is empty: remove the dash, or write a value after it`)
    return undefined
  })
}

function readMap(map: MapNode, keys: Keys, name: string, context: Context): Readonly<Record<string, unknown>> {
  const { findings, root } = context
  const prefix = name === '' ? '' : `${name}.`
  const isInList = name.includes('[')
  const shownPrefix = prefix.slice(prefix.lastIndexOf(']') + 1).replace(/^\./, '')
  warnAboutUnknownKeys(map, { keys, prefix: shownPrefix, root: isInList ? keys : root }, findings)
  return Object.fromEntries(
    Object.entries(keys).map(([key, known]) => {
      const entry = entryOf(map, key)
      if (entry !== undefined) return [key, readEntry(entry, known, prefix + key, context)]
      if (known.required) findings.error(map.start, `${name || 'the file'} needs ${quote(key)}: ${known.about}`)
      return [key, undefined]
    }),
  )
}

function readEntry({ start, value }: MapEntry, key: Key, name: string, context: Context): unknown {
  if (key.misplaced) {
    context.findings.warn(start, `${name} is ignored: ${key.about}`)
    return undefined
  }
  if (!name.includes('[')) context.places.set(name, value.start)
  return readNode(value, key.shape, { name, ...(key.secret && { secret: true }) }, context)
}
