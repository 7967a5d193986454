import { nearest } from '../../messages/nearest.js'
import { quote } from '../../messages/quote.js'
import { parseDuration } from '../../time/duration.js'
import type { Diagnostics } from '../diagnostics.js'
import { type DocumentNode, entryOf, type MapEntry, type MapNode, scalarValue } from '../document/tree.js'
import { type KeyPlace, keysOf } from '../keys.js'

/** A value with the place where it is written. */
export interface Stated<T> {
  readonly value: T
  readonly at: number
}

/** The value of a scalar as text: `502` and `true` are what the author typed. */
export function readText({ value }: MapEntry, name: string, diagnostics: Diagnostics): string | undefined {
  if (value.kind === 'scalar') return value.text
  diagnostics.problem('wrong-type', value.start, `${name} is a string, not ${describeNode(value)}`)
  return undefined
}

/** A list of texts; a single text counts as a list of one. */
export function readTexts({ value }: MapEntry, name: string, diagnostics: Diagnostics): readonly string[] | undefined {
  if (value.kind === 'scalar') return [value.text]
  if (value.kind === 'list' && value.items.every((item) => item.kind === 'scalar')) {
    return value.items.map((item) => (item as { text: string }).text)
  }
  diagnostics.problem('wrong-type', value.start, `${name} is a list of texts`)
  return undefined
}

/** A number that JSON can hold. */
export function readNumber({ value }: MapEntry, name: string, diagnostics: Diagnostics): number | undefined {
  const number = numberOf(value)
  if (number !== undefined && Number.isFinite(number)) return number
  diagnostics.problem('wrong-type', value.start, `${name} is a number, not ${describeNode(value)}`)
  return undefined
}

export function readBoolean({ value }: MapEntry, name: string, diagnostics: Diagnostics): boolean | undefined {
  const truth = value.kind === 'scalar' ? scalarValue(value) : undefined
  if (typeof truth === 'boolean') return truth
  diagnostics.problem('wrong-type', value.start, `${name} is true or false, not ${describeNode(value)}`)
  return undefined
}

/** The number that a node is, if it is one. A quoted number is a text. */
export function numberOf(node: DocumentNode): number | undefined {
  const value = node.kind === 'scalar' ? scalarValue(node) : undefined
  return typeof value === 'number' ? value : undefined
}

/** No way of writing a sensible duration is longer; a million digits would keep the parser busy. */
const LONGEST_DURATION = 60

/** A duration in nanoseconds. */
export function readDuration({ value }: MapEntry, name: string, diagnostics: Diagnostics): bigint | undefined {
  if (value.kind !== 'scalar') {
    diagnostics.problem('wrong-type', value.start, `${name} is a duration such as 5s, not ${describeNode(value)}`)
    return undefined
  }
  const { text } = value
  if (/^[-+]?[0-9]{1,18}$/.test(text) && Number(text) !== 0) {
    const message = `${name} has no unit: write ${text}s for seconds, ${text}m for minutes`
    diagnostics.problem('bad-duration', value.start, message)
    return undefined
  }
  try {
    if (text.length <= LONGEST_DURATION) return parseDuration(text)
    const message = `${name}: ${quote(text)} is not a duration: write it like 5s, 250ms or 1h30m`
    diagnostics.problem('bad-duration', value.start, message)
  } catch (error) {
    diagnostics.problem(
      'bad-duration',
      value.start,
      `${name}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  return undefined
}

/** The map under a key, or a problem that says what is there instead. */
export function readMap(entry: MapEntry, name: string, diagnostics: Diagnostics): MapNode | undefined {
  if (entry.value.kind === 'map') return entry.value
  diagnostics.problem('wrong-type', entry.value.start, `${name} is a map, not ${describeNode(entry.value)}`)
  return undefined
}

/** The keys of a map that do not exist in its place, with what to say about each. */
export function unknownKeys(map: MapNode, place: KeyPlace): readonly Stated<string>[] {
  return strangeKeys(map, place, (known) => `known here are ${known.join(', ')}`)
}

/** The same for a place where they do no harm. */
export function ignoredKeys(map: MapNode, place: KeyPlace): readonly Stated<string>[] {
  return strangeKeys(map, place, () => 'it is ignored')
}

/** A map with more of them is not what it is taken for: to look for a hint for each would be a waste. */
const MAX_STRANGE_KEYS = 100

function strangeKeys(
  map: MapNode,
  place: KeyPlace,
  otherwise: (known: readonly string[]) => string,
): readonly Stated<string>[] {
  const known = keysOf(place)
  const strange: Stated<string>[] = []
  for (const [key, { start }] of map.entries) {
    if (Object.hasOwn(known, key) || strange.length === MAX_STRANGE_KEYS) continue
    const names = Object.keys(known)
    const meant = nearest(key, names)
    const hint = meant === undefined ? otherwise(names) : `did you mean ${quote(meant)}?`
    strange.push({ value: `unknown key ${quote(key)}: ${hint}`, at: start })
  }
  return strange
}

/** Reads the value of a key together with its place; undefined when it is absent or wrong. */
export function stated<T>(
  map: MapNode,
  key: string,
  diagnostics: Diagnostics,
  read: (entry: MapEntry, name: string, diagnostics: Diagnostics) => T | undefined,
): Stated<T> | undefined {
  const entry = entryOf(map, key)
  const value = entry === undefined ? undefined : read(entry, key, diagnostics)
  return value === undefined ? undefined : { value, at: entry!.value.start }
}

/** A node in a message that says what is needed instead. */
export function describeNode(node: DocumentNode): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`
  const value = scalarValue(node)
  if (value === null) return 'nothing'
  return typeof value === 'string' ? `the string ${quote(value)}` : quote(node.text).slice(1, -1)
}
