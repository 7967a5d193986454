import type { CompiledRule } from '../compiled.js'
import { type DocumentNode, entryOf, type MapNode } from '../document/tree.js'
import { deriveRuleHash, deriveRuleId } from '../identity.js'
import { findCreId, readCre } from './cre.js'
import { describeNode, ignoredKeys, readMap, type Stated, unknownKeys } from './fields.js'
import { type Group, type GroupContext, readGroup } from './group.js'
import { readMetadata } from './metadata.js'

/** A rule with the offsets of the identifiers that its document states, so that a duplicate can be located. */
export interface ReadRule {
  readonly rule: CompiledRule
  readonly creId: Stated<string>
  readonly id?: Stated<string>
  readonly hash?: Stated<string>
}

/** Reads one entry of `rules`; undefined when it cannot be used, and that has been reported. */
export function readRule(node: DocumentNode, context: GroupContext, requireIds: boolean): ReadRule | undefined {
  if (node.kind !== 'map') {
    context.diagnostics.problem(
      'wrong-type',
      node.start,
      `a rule is a map with cre and rule, not ${describeNode(node)}`,
    )
    return undefined
  }
  const creId = findCreId(node.entries.get('cre')?.value)
  const diagnostics = creId === undefined ? context.diagnostics : context.diagnostics.about(creId)
  const named = { ...context, diagnostics }
  for (const { value, at } of ignoredKeys(node, 'entry')) diagnostics.warn(at, value)
  const creMap = requiredMap(node, 'cre', 'what the problem is, with an id', named)
  const cre = creMap && readCre(creMap, node.entries.get('cre')!.start, diagnostics)
  const metadataEntry = entryOf(node, 'metadata')
  const metadata = metadataEntry && readMap(metadataEntry, 'metadata', diagnostics)
  const { id, hash } = readMetadata(metadata, (metadataEntry ?? node).start, requireIds, diagnostics)
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

function requiredMap(node: MapNode, key: string, about: string, { diagnostics }: GroupContext): MapNode | undefined {
  const entry = entryOf(node, key)
  if (entry !== undefined) return readMap(entry, key, diagnostics)
  diagnostics.problem('missing', node.start, `${key} is missing: it holds ${about}`)
  return undefined
}

function readBody(body: MapNode, at: number, context: GroupContext): Group | undefined {
  const { diagnostics } = context
  for (const { value, at } of unknownKeys(body, 'rule')) diagnostics.problem('unknown-key', at, value)
  const set = entryOf(body, 'set')
  const sequence = entryOf(body, 'sequence')
  if (set && sequence)
    diagnostics.warn(set.start, 'the rule has a set and a sequence: the sequence counts, the set is ignored')
  if (sequence) return readGroup('sequence', sequence, context)
  if (set) return readGroup('set', set, context)
  diagnostics.problem('missing', at, 'rule has no set and no sequence: it needs one of them')
  return undefined
}
