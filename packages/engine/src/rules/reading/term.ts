import type { Extract } from '../compiled.js'
import type { Diagnostics } from '../diagnostics.js'
import { type DocumentNode, isNothing, type MapEntry, type MapNode, type ScalarNode } from '../document/tree.js'
import { KEYS, keysOf } from '../keys.js'
import type { ConditionKey, ConditionPool } from '../pool.js'
import { readExtracts } from './extract.js'
import { describeNode, numberOf, readBoolean, readDuration, type Stated, stated, unknownKeys } from './fields.js'

/** The list that a term is in: `match` or `order`, `negate`, or, by its name, `terms`. */
export type TermPlace = 'positive' | 'negate' | 'named'

/** A term as it is written in one place. A literal may turn out to name another term. */
export interface Term {
  readonly at: number
  readonly condition: ConditionKey
  readonly count?: Stated<number>
  readonly extract?: Stated<readonly Extract[]>
  readonly window?: Stated<bigint>
  readonly slide?: Stated<bigint>
  readonly anchor?: Stated<number>
  readonly absolute?: Stated<boolean>
}

/** What the reader of a term needs. */
export interface TermContext {
  readonly file: string
  readonly diagnostics: Diagnostics
  readonly pool: ConditionPool
  /** Whether a literal is the name of a term. */
  readonly isName: (text: string) => boolean
}

/** A condition holds at most this many entries, so a higher count could never be reached. */
const MAX_COUNT = 100_000

const CONDITIONS = { value: 'literal', regex: 'regex', jq: 'jq' } as const

type ConditionName = keyof typeof CONDITIONS

/** Reads a term; undefined when it is too wrong to go on with, and that has been reported. */
export function readTerm(node: DocumentNode, place: TermPlace, context: TermContext): Term | undefined {
  const { diagnostics } = context
  if (node.kind === 'scalar') {
    const condition = readCondition('value', node, context)
    return condition && { at: node.start, condition }
  }
  if (node.kind === 'map') return readTermMap(node, place, context)
  diagnostics.problem('wrong-type', node.start, `a term is a string or a map, not ${describeNode(node)}`)
  return undefined
}

function readTermMap(map: MapNode, place: TermPlace, context: TermContext): Term | undefined {
  const { diagnostics } = context
  const strange = reportKeys(map, place, diagnostics)
  const given = (Object.keys(CONDITIONS) as ConditionName[]).filter((name) => map.entries.has(name))
  const [name, ...others] = given
  if (name === undefined) {
    const message = 'the term has no condition: it needs value, regex or jq'
    if (!strange) diagnostics.problem('condition-missing', map.start, message)
    return undefined
  }
  if (others.length > 0) {
    const message = `${given.join(' and ')} together: a term has exactly one condition`
    diagnostics.problem('condition-conflict', map.entries.get(others[0]!)!.start, message)
    return undefined
  }
  const { value } = map.entries.get(name)!
  if (value.kind !== 'scalar') {
    diagnostics.problem('wrong-type', value.start, `${name} is a string, not ${describeNode(value)}`)
  }
  const condition = value.kind === 'scalar' ? readCondition(name, value, context) : undefined
  const options = {
    ...readCount(map, diagnostics),
    ...readExtracts(map, context),
    ...readNegateOptions(map, place, diagnostics),
  }
  return condition && { at: map.start, condition, ...options }
}

/** Reports keys that are not allowed here. Returns whether one of them may have been meant as the condition. */
function reportKeys(map: MapNode, place: TermPlace, diagnostics: Diagnostics): boolean {
  let strange = false
  for (const { value, at } of unknownKeys(map, 'term')) {
    diagnostics.problem('unknown-key', at, value)
    strange = true
  }
  for (const [key, { start }] of map.entries) {
    const known = Object.hasOwn(KEYS.term, key) ? keysOf('term')[key]! : {}
    if ('unsupported' in known) {
      const what = key === 'set' || key === 'sequence' ? `a nested ${key} is` : `${key} conditions are`
      diagnostics.problem('unsupported', start, `${what} not supported: a term has a value, regex or jq`)
      strange = true
    }
    if ('negateOnly' in known && place === 'positive') {
      diagnostics.problem('negate-only', start, `${key} belongs to the entries of negate: here it has no meaning`)
    }
  }
  return strange
}

const EMPTY: Readonly<Record<ConditionName, string>> = {
  value: 'an empty literal matches everything: write the string to look for',
  regex: 'an empty regex matches everything: write the pattern to look for',
  jq: 'an empty jq filter matches everything: write the filter',
}

function readCondition(name: ConditionName, node: ScalarNode, context: TermContext): ConditionKey | undefined {
  const { file, diagnostics, pool, isName } = context
  const kind = CONDITIONS[name]
  if (isNothing(node) && node.text !== '') {
    const message = `${node.text} means no value in YAML: put it in quotes to look for that string`
    diagnostics.problem('empty-condition', node.start, message)
    return undefined
  }
  if (node.text === '' || (kind === 'jq' && node.text.trim() === '')) {
    diagnostics.problem('empty-condition', node.start, EMPTY[name])
    return undefined
  }
  if (kind !== 'literal' || !isName(node.text)) pool.written.push({ kind, node, file, diagnostics })
  return { kind, text: node.text }
}

function readCount(map: MapNode, diagnostics: Diagnostics): Pick<Term, 'count'> {
  const count = stated(map, 'count', diagnostics, ({ value }) => {
    const number = numberOf(value)
    if (number !== undefined && Number.isInteger(number) && number >= 1 && number <= MAX_COUNT) return number
    const bound = number !== undefined && number > MAX_COUNT ? `at most ${MAX_COUNT}` : 'at least 1'
    diagnostics.problem('bad-count', value.start, `count is a whole number, ${bound}, not ${describeNode(value)}`)
    return undefined
  })
  return count ? { count } : {}
}

function readNegateOptions(map: MapNode, place: TermPlace, diagnostics: Diagnostics): Partial<Term> {
  if (place === 'positive') return {}
  const window = stated(map, 'window', diagnostics, readDuration)
  const slide = stated(map, 'slide', diagnostics, readDuration)
  const anchor = stated(map, 'anchor', diagnostics, readAnchor)
  const absolute = stated(map, 'absolute', diagnostics, readBoolean)
  return {
    ...(window && { window }),
    ...(slide && { slide }),
    ...(anchor && { anchor }),
    ...(absolute && { absolute }),
  }
}

function readAnchor({ value }: MapEntry, _name: string, diagnostics: Diagnostics): number | undefined {
  const anchor = numberOf(value)
  if (anchor !== undefined && Number.isInteger(anchor) && anchor >= 0) return anchor
  const what = anchor !== undefined && anchor < 0 ? 'is not negative' : 'is a whole number'
  diagnostics.problem('bad-anchor', value.start, `anchor ${what}: it counts the positive conditions from 0`)
  return undefined
}
