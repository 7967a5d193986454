import type { CompiledRule } from '../compiled.js'
import { type DocumentNode, entryOf, type MapNode } from '../document/tree.js'
import { deriveRuleHash, deriveRuleId } from '../identity.js'
import { findCreId, readCre } from './cre.js'
import { describeNode } from './describe.js'
import { ignoredKeys, readMap, type Stated, unknownKeys } from './fields.js'
import { type Group, type GroupContext, readGroup } from './group.js'
import { readMetadata } from './metadata.js'

/** A rule with the places of the identifiers that its document states, so that a repeat can be shown. */
export interface ReadRule {
  readonly rule: CompiledRule
  readonly creId: Stated<string>
  readonly id?: Stated<string>
  readonly hash?: Stated<string>
}

/** Reads one entry of `rules`; undefined when it cannot be used, which has then been said. */
export function readRule(node: DocumentNode, context: GroupContext, requireIds: boolean): ReadRule | undefined {
  if (node.kind !== 'map') {
    context.remarks.problem('wrong-type', node.start, `a rule is a map with cre and rule, not ${describeNode(node)}`)
    return undefined
  }
  const creId = findCreId(node.entries.get('cre')?.value)
  const remarks = creId === undefined ? context.remarks : context.remarks.about(creId)
  const named = { ...context, remarks }
  for (const { value, at } of ignoredKeys(node, 'entry')) remarks.warn(at, value)
  const creMap = requiredMap(node, 'cre', 'what the problem is, with an id', named)
  const cre = creMap && readCre(creMap, node.entries.get('cre')!.start, remarks)
  const metadataEntry = entryOf(node, 'metadata')
  const metadata = metadataEntry && readMap(metadataEntry, 'metadata', remarks)
  const { id, hash } = readMetadata(metadata, (metadataEntry ?? node).start, requireIds, remarks)
  const body = requiredMap(node, 'rule', 'a set or a sequence', named)
  const group = body && readBody(body, node.entries.get('rule')!.start, named)
  if (cre === undefined || creId === undefined || group === undefined) return undefined
  return {
    rule: {
      cre,
      ruleId: id?.value ?? deriveRuleId(creId),
      ruleHash: hash?.value ?? deriveRuleHash(creId, group, context.pool.keys),
      ...group,
    },
    creId: { value: creId, at: entryOf(creMap!, 'id')!.value.start },
    ...(id && { id }),
    ...(hash && { hash }),
  }
}

function requiredMap(node: MapNode, key: string, about: string, { remarks }: GroupContext): MapNode | undefined {
  const entry = entryOf(node, key)
  if (entry !== undefined) return readMap(entry, key, remarks)
  remarks.problem('missing', node.start, `${key} is missing: it holds ${about}`)
  return undefined
}

function readBody(body: MapNode, at: number, context: GroupContext): Group | undefined {
  const { remarks } = context
  for (const { value, at } of unknownKeys(body, 'rule')) remarks.problem('unknown-key', at, value)
  const set = entryOf(body, 'set')
  const sequence = entryOf(body, 'sequence')
  if (set && sequence)
    remarks.warn(set.start, 'the rule has a set and a sequence: the sequence counts, the set is ignored')
  if (sequence) return readGroup('sequence', sequence, context)
  if (set) return readGroup('set', set, context)
  remarks.problem('missing', at, 'rule has no set and no sequence: it needs one of them')
  return undefined
}
