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
import type { Remarks } from './remarks.js'
import { describeScalar, describeShape, readScalar, type ScalarContext } from './scalars.js'
import type { Key, Keys, MapValue, Shape } from './shape.js'
import { describeSyntaxProblem } from './syntax-hints.js'
import { warnOfUnknownKeys } from './unknown-keys.js'

/** What a file says. */
export interface ReadDocument<K extends Keys> {
  readonly value: MapValue<K>
  /** Where the values of keys stand that are in no list, by the full name of the key. */
  readonly places: ReadonlyMap<string, number>
}

interface Context extends ScalarContext {
  readonly text: string
  readonly root: Keys
  readonly remarks: Remarks
  readonly places: Map<string, number>
}

type ListShape = Extract<Shape, { readonly is: 'list' }>

/** The key whose value is read, with its full name: `rules.paths`, `timestamps[0].format`. */
interface Named extends Pick<Key, 'secret'> {
  readonly name: string
}

/**
 * Reads a YAML text against a table of keys. What is wrong becomes problems, what is unknown becomes warnings, all at once;
 * the result is undefined when there are problems.
 *
 * @example
 * const remarks = createRemarks('config.yaml', text)
 * const document = await readDocument(text, CONFIG_KEYS, { remarks, resolve })
 * throwProblems('Config', remarks.problems())
 */
export async function readDocument<K extends Keys>(
  text: string,
  keys: K,
  { remarks, resolve }: { readonly remarks: Remarks } & ScalarContext,
): Promise<ReadDocument<K> | undefined> {
  const { documents, problems } = await readYaml(text)
  if (problems.length > 0) {
    for (const problem of problems) remarks.problem(problem.at, describeSyntaxProblem(problem, text))
    return undefined
  }
  const [first, second] = documents
  if (second !== undefined) {
    remarks.problem(second.start, 'a second document: everything stands in one, so leave out the --- before it')
  }
  const places = new Map<string, number>()
  const context = { text, root: keys, remarks, places, resolve }
  const value = first === undefined ? readMap(EMPTY, keys, '', context) : readRoot(first, keys, context)
  return remarks.problems().length > 0 ? undefined : { value: value as MapValue<K>, places }
}

const EMPTY: MapNode = { kind: 'map', start: 0, entries: new Map() }

function readRoot(node: DocumentNode, keys: Keys, context: Context): unknown {
  if (node.kind === 'map') return readMap(node, keys, '', context)
  const known = Object.keys(keys).slice(0, 3).join(', ')
  const message = `the file is a map of keys (${known} …), not ${node.kind === 'list' ? 'a list' : 'a text'}`
  context.remarks.problem(node.start, message)
  return undefined
}

function readNode(node: DocumentNode, shape: Shape, key: Named, context: Context): unknown {
  if (shape.is === 'map') return readMapAt(node, shape.keys, key, context)
  if (shape.is === 'list') return readList(node, shape, key, context)
  const { remarks } = context
  if (node.kind !== 'scalar') {
    const bracket = context.text[node.start]!
    const hint = bracket === '[' || bracket === '{' ? `: a text that starts with ${bracket} stands in quotes` : ''
    remarks.problem(node.start, `${key.name} is ${describeShape(shape)}, not a ${node.kind}${hint}`)
    return undefined
  }
  const reading = readScalar(node, shape, context, { secret: key.secret === true })
  if ('value' in reading) return reading.value
  remarks.problem(node.start, `${key.name} ${reading.wrong}`)
  return undefined
}

function readMapAt(node: DocumentNode, keys: Keys, { name }: Named, context: Context): unknown {
  if (node.kind === 'map') return readMap(node, keys, name, context)
  // What stands there instead is not repeated: a webhook is easily written in the place of its map.
  const what = node.kind === 'list' ? 'a list' : 'a single value'
  const example = Object.keys(keys)
    .slice(0, 2)
    .map((key) => `${key}: …`)
  context.remarks.problem(node.start, `${name} is a map such as {${example.join(', ')}}, not ${what}`)
  return undefined
}

/** A single text counts as a list of one. */
function readList(
  node: DocumentNode,
  { of: item, filled }: ListShape,
  { name, secret }: Named,
  context: Context,
): unknown {
  const isSingle = node.kind === 'scalar' && item.is !== 'map'
  if (node.kind !== 'list' && !isSingle) {
    const what = node.kind === 'map' ? 'a map: put a dash before it' : describeScalar(node)
    context.remarks.problem(node.start, `${name} is a list, not ${what}`)
    return undefined
  }
  const items = isSingle ? [node] : (node as ListNode).items
  if (filled && items.length === 0) context.remarks.problem(node.start, `${name} is empty: it needs at least one item`)
  return items.map((value, index) => {
    const named = { name: isSingle ? name : `${name}[${index}]`, ...(secret && { secret }) }
    if (!isNothing(value)) return readNode(value, item, named, context)
    context.remarks.problem(value.start, `${named.name} is empty: leave out the dash, or write something behind it`)
    return undefined
  })
}

function readMap(map: MapNode, keys: Keys, name: string, context: Context): Readonly<Record<string, unknown>> {
  const { remarks, root } = context
  const prefix = name === '' ? '' : `${name}.`
  const isInList = name.includes('[')
  const shownPrefix = prefix.slice(prefix.lastIndexOf(']') + 1).replace(/^\./, '')
  warnOfUnknownKeys(map, { keys, prefix: shownPrefix, root: isInList ? keys : root }, remarks)
  return Object.fromEntries(
    Object.entries(keys).map(([key, known]) => {
      const entry = entryOf(map, key)
      if (entry !== undefined) return [key, readEntry(entry, known, prefix + key, context)]
      if (known.required) remarks.problem(map.start, `${name || 'the file'} needs ${quote(key)}: ${known.about}`)
      return [key, undefined]
    }),
  )
}

function readEntry({ start, value }: MapEntry, key: Key, name: string, context: Context): unknown {
  if (key.misplaced) {
    context.remarks.warn(start, `${name} is ignored: ${key.about}`)
    return undefined
  }
  if (!name.includes('[')) context.places.set(name, value.start)
  return readNode(value, key.shape, { name, ...(key.secret && { secret: true }) }, context)
}
