import type { CompiledRule, Extract, NegateTerm, PositiveTerm } from '../compiled.js'
import { type DocumentNode, entryOf, type MapEntry, type MapNode } from '../document/tree.js'
import { keysOf } from '../keys.js'
import { describeNode, ignoredKeys, readDuration, readMap, readText, stated, unknownKeys } from './fields.js'
import type { NamedTerms } from './named-terms.js'
import { readTerm, type Term, type TermContext, type TermPlace } from './term.js'
import { checkWindow } from './window.js'

/** The content of a set or sequence. */
export type Group = Pick<CompiledRule, 'kind' | 'source' | 'window' | 'terms' | 'negate'>

export interface GroupContext extends TermContext {
  readonly named: NamedTerms
}

/** The list of positive conditions has its own name in each kind. */
const LIST = { set: 'match', sequence: 'order' } as const

const MAX_CONDITIONS = 64

/** Reads a set or sequence, with every check of docs/rule-language.md sections 3 and 4; undefined when it cannot be run. */
export function readGroup(kind: 'set' | 'sequence', entry: MapEntry, context: GroupContext): Group | undefined {
  const { diagnostics } = context
  const map = readMap(entry, kind, diagnostics)
  if (map === undefined) return undefined
  reportKeys(map, kind, context)
  const source = readSource(map, entry, context)
  const positive = readPositive(map, kind, entry, context)
  const window = stated(map, 'window', diagnostics, readDuration)
  const negated = readTerms(map, 'negate', 'negate', context)
  if (positive === undefined) return undefined
  const total = positive.reduce((sum, { count }) => sum + count, 0)
  if (positive.length > MAX_CONDITIONS) {
    const message = `${positive.length} different conditions: a rule has at most ${MAX_CONDITIONS}`
    diagnostics.problem('too-many-conditions', entryOf(map, LIST[kind])!.start, message)
  }
  checkWindow({ kind, total, map, at: entry.start, window: window?.value }, diagnostics)
  const negate = negated?.map((term) => readNegate(term, total, context))
  if (source === undefined || negate === undefined) return undefined
  return { source, kind, window: window?.value ?? 0n, terms: positive, negate }
}

function reportKeys(map: MapNode, kind: 'set' | 'sequence', { diagnostics }: GroupContext): void {
  const other = kind === 'set' ? 'sequence' : 'set'
  for (const { value, at } of unknownKeys(map, kind)) {
    const isOtherList = map.entries.get(LIST[other])?.start === at
    const message = isOtherList ? `${LIST[other]} belongs to a ${other}: a ${kind} has ${LIST[kind]}` : value
    diagnostics.problem('unknown-key', at, message)
  }
  for (const [key, { start }] of map.entries) {
    if (Object.hasOwn(keysOf(kind), key) && keysOf(kind)[key]!.unsupported) {
      const message = `${key} are not supported: the rule would match entries that do not belong together`
      diagnostics.problem('unsupported', start, message)
    }
  }
}

function readSource(map: MapNode, group: MapEntry, { diagnostics }: GroupContext): string | undefined {
  const entry = entryOf(map, 'event')
  const event = entry && readMap(entry, 'event', diagnostics)
  if (entry !== undefined && event === undefined) return undefined
  if (event !== undefined)
    for (const { value, at } of ignoredKeys(event, 'event')) diagnostics.lint(at, `event: ${value}`)
  const source = event && entryOf(event, 'source')
  const text = source && readText(source, 'event.source', diagnostics)
  if (source === undefined || text === '') {
    const message = 'event.source is missing: it says which data the rule is about, such as cre.log.kafka'
    diagnostics.problem('missing', (entry ?? group).start, message)
    return undefined
  }
  return text
}

/** The positive conditions with identical ones made one: in a set wherever they are, in a sequence where they are adjacent. */
function readPositive(
  map: MapNode,
  kind: 'set' | 'sequence',
  group: MapEntry,
  context: GroupContext,
): PositiveTerm[] | undefined {
  const { diagnostics } = context
  const list = entryOf(map, LIST[kind])
  if (list === undefined || (list.value.kind === 'list' && list.value.items.length === 0)) {
    const what = list === undefined ? 'missing' : 'empty'
    const message = `${LIST[kind]} is ${what}: a ${kind} needs at least one condition`
    diagnostics.problem('no-conditions', (list ?? group).start, message)
    return undefined
  }
  const terms = readTerms(map, LIST[kind], 'positive', context)?.map((term) => positiveTerm(term, context))
  return terms && joinIdentical(terms, kind)
}

function positiveTerm(term: Term, { pool, diagnostics }: GroupContext): PositiveTerm {
  const option = term.window ?? term.slide ?? term.anchor ?? term.absolute
  if (option !== undefined)
    diagnostics.warn(term.at, 'the term has options of negate entries, which have no effect here')
  return { condition: pool.intern(term.condition), count: term.count?.value ?? 1, extract: term.extract?.value ?? [] }
}

function joinIdentical(terms: readonly PositiveTerm[], kind: 'set' | 'sequence'): PositiveTerm[] {
  const joined: { condition: number; count: number; extract: Extract[] }[] = []
  const places = new Map<number, number>()
  for (const { condition, count, extract } of terms) {
    const same = joined[kind === 'set' ? (places.get(condition) ?? -1) : joined.length - 1]
    if (same?.condition === condition) {
      same.count += count
      for (const value of extract) same.extract.push(value)
    } else {
      places.set(condition, joined.push({ condition, count, extract: [...extract] }) - 1)
    }
  }
  return joined.map((term) => ({ ...term, extract: distinct(term.extract) }))
}

function distinct(extracts: readonly Extract[]): readonly Extract[] {
  return [...new Map(extracts.map((extract) => [JSON.stringify(extract), extract])).values()]
}

/** The terms under a key, references followed. An absent key is an empty list; undefined when any of them is wrong. */
function readTerms(map: MapNode, key: string, place: TermPlace, context: GroupContext): Term[] | undefined {
  const entry = entryOf(map, key)
  if (entry === undefined) return []
  if (entry.value.kind !== 'list') {
    const message = `${key} is a list of terms, not ${describeNode(entry.value)}`
    context.diagnostics.problem('wrong-type', entry.value.start, message)
    return undefined
  }
  const terms = entry.value.items.map((item: DocumentNode) => {
    const term = readTerm(item, place, context)
    return term && context.named.resolve(term)
  })
  return terms.every((term) => term !== undefined) ? terms : undefined
}

function readNegate(term: Term, total: number, { pool, diagnostics }: GroupContext): NegateTerm {
  const { condition, count, extract, window, slide, anchor, absolute } = term
  if (count !== undefined && count.value > 1) {
    diagnostics.problem('negate-count', count.at, 'count above 1 has no meaning in negate: one entry is enough')
  }
  if (extract !== undefined) {
    diagnostics.problem(
      'negate-extract',
      extract.at,
      'extract has no meaning in negate: its entries are not part of a detection',
    )
  }
  if (anchor !== undefined && anchor.value >= total) {
    const message = `anchor ${anchor.value} is too high: it is below ${total}, the number of positive conditions`
    diagnostics.problem('bad-anchor', anchor.at, message)
  }
  return {
    condition: pool.intern(condition),
    window: window?.value ?? 0n,
    slide: slide?.value ?? 0n,
    anchor: anchor?.value ?? 0,
    absolute: absolute?.value ?? false,
  }
}
