import type { Extract } from '../compiled.js'
import { type DocumentNode, isNothing, type MapEntry, type MapNode, type ScalarNode } from '../document/tree.js'
import { KEYS, keysOf } from '../keys.js'
import type { ConditionKey, ConditionPool } from '../pool.js'
import type { Remarks } from '../remarks.js'
import { describeNode } from './describe.js'
import { readExtracts } from './extract.js'
import { numberOf, readBoolean, readDuration, type Stated, stated, unknownKeys } from './fields.js'

/** Where a term stands: in `match` or `order`, in `negate`, or by its name in `terms`. */
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

/** What reading a term needs to know. */
export interface TermContext {
  readonly file: string
  readonly remarks: Remarks
  readonly pool: ConditionPool
  /** Whether a literal is the name of a term. */
  readonly isName: (text: string) => boolean
}

/** A condition holds at most this many entries, so a higher count could never be reached. */
const MAX_COUNT = 100_000

const CONDITIONS = { value: 'literal', regex: 'regex', jq: 'jq' } as const

type ConditionName = keyof typeof CONDITIONS

/** Reads a term; undefined when it is too wrong to go on with, which has then been said. */
export function readTerm(node: DocumentNode, place: TermPlace, context: TermContext): Term | undefined {
  const { remarks } = context
  if (node.kind === 'scalar') {
    const condition = readCondition('value', node, context)
    return condition && { at: node.start, condition }
  }
  if (node.kind === 'map') return readTermMap(node, place, context)
  remarks.problem('wrong-type', node.start, `a term is a text or a map, not ${describeNode(node)}`)
  return undefined
}

function readTermMap(map: MapNode, place: TermPlace, context: TermContext): Term | undefined {
  const { remarks } = context
  const strange = reportKeys(map, place, remarks)
  const given = (Object.keys(CONDITIONS) as ConditionName[]).filter((name) => map.entries.has(name))
  const [name, ...others] = given
  if (name === undefined) {
    const message = 'the term has no condition: it needs value, regex or jq'
    if (!strange) remarks.problem('condition-missing', map.start, message)
    return undefined
  }
  if (others.length > 0) {
    const message = `${given.join(' and ')} together: a term has exactly one condition`
    remarks.problem('condition-conflict', map.entries.get(others[0]!)!.start, message)
    return undefined
  }
  const { value } = map.entries.get(name)!
  if (value.kind !== 'scalar') {
    remarks.problem('wrong-type', value.start, `${name} is a text, not ${describeNode(value)}`)
  }
  const condition = value.kind === 'scalar' ? readCondition(name, value, context) : undefined
  const options = {
    ...readCount(map, remarks),
    ...readExtracts(map, context),
    ...readNegateOptions(map, place, remarks),
  }
  return condition && { at: map.start, condition, ...options }
}

/** Reports keys that have no business here, and says whether there was one that may have been meant as the condition. */
function reportKeys(map: MapNode, place: TermPlace, remarks: Remarks): boolean {
  let strange = false
  for (const { value, at } of unknownKeys(map, 'term')) {
    remarks.problem('unknown-key', at, value)
    strange = true
  }
  for (const [key, { start }] of map.entries) {
    const known = Object.hasOwn(KEYS.term, key) ? keysOf('term')[key]! : {}
    if ('unsupported' in known) {
      const what = key === 'set' || key === 'sequence' ? `a nested ${key} is` : `${key} conditions are`
      remarks.problem('unsupported', start, `${what} not supported: a term has a value, regex or jq`)
      strange = true
    }
    if ('negateOnly' in known && place === 'positive') {
      remarks.problem('negate-only', start, `${key} belongs to the entries of negate: here it has no meaning`)
    }
  }
  return strange
}

const EMPTY: Readonly<Record<ConditionName, string>> = {
  value: 'an empty literal matches everything: write the text to look for',
  regex: 'an empty regex matches everything: write the pattern to look for',
  jq: 'an empty jq filter matches everything: write the filter',
}

function readCondition(name: ConditionName, node: ScalarNode, context: TermContext): ConditionKey | undefined {
  const { file, remarks, pool, isName } = context
  const kind = CONDITIONS[name]
  if (isNothing(node) && node.text !== '') {
    const message = `${node.text} stands for nothing: put it in quotes to look for that text`
    remarks.problem('empty-condition', node.start, message)
    return undefined
  }
  if (node.text === '' || (kind === 'jq' && node.text.trim() === '')) {
    remarks.problem('empty-condition', node.start, EMPTY[name])
    return undefined
  }
  if (kind !== 'literal' || !isName(node.text)) pool.written.push({ kind, node, file, remarks })
  return { kind, text: node.text }
}

function readCount(map: MapNode, remarks: Remarks): Pick<Term, 'count'> {
  const count = stated(map, 'count', remarks, ({ value }) => {
    const number = numberOf(value)
    if (number !== undefined && Number.isInteger(number) && number >= 1 && number <= MAX_COUNT) return number
    const bound = number !== undefined && number > MAX_COUNT ? `at most ${MAX_COUNT}` : 'at least 1'
    remarks.problem('bad-count', value.start, `count is a whole number, ${bound}, not ${describeNode(value)}`)
    return undefined
  })
  return count ? { count } : {}
}

function readNegateOptions(map: MapNode, place: TermPlace, remarks: Remarks): Partial<Term> {
  if (place === 'positive') return {}
  const window = stated(map, 'window', remarks, readDuration)
  const slide = stated(map, 'slide', remarks, readDuration)
  const anchor = stated(map, 'anchor', remarks, readAnchor)
  const absolute = stated(map, 'absolute', remarks, readBoolean)
  return {
    ...(window && { window }),
    ...(slide && { slide }),
    ...(anchor && { anchor }),
    ...(absolute && { absolute }),
  }
}

function readAnchor({ value }: MapEntry, _name: string, remarks: Remarks): number | undefined {
  const anchor = numberOf(value)
  if (anchor !== undefined && Number.isInteger(anchor) && anchor >= 0) return anchor
  const what = anchor !== undefined && anchor < 0 ? 'is not negative' : 'is a whole number'
  remarks.problem('bad-anchor', value.start, `anchor ${what}: it counts the positive conditions from 0`)
  return undefined
}
