import { quote } from '../../messages/quote.js'
import { entryOf, type MapNode } from '../document/tree.js'
import type { Remarks } from '../remarks.js'
import { describeNode } from './describe.js'
import { ignoredKeys, numberOf, readText, type Stated } from './fields.js'

/** Base58 has no zero; the letters that it leaves out are accepted, because ids in use have them. */
const RULE_ID = /^[1-9A-Za-z]{12,}$/

/** What a document says about which rule this is. What it leaves out is derived. */
export interface RuleIdentity {
  readonly id?: Stated<string>
  readonly hash?: Stated<string>
}

/** Reads `metadata`, which may be absent altogether. */
export function readMetadata(
  metadata: MapNode | undefined,
  at: number,
  requireIds: boolean,
  remarks: Remarks,
): RuleIdentity {
  if (metadata !== undefined) {
    for (const { value, at } of ignoredKeys(metadata, 'metadata')) remarks.lint(at, `metadata: ${value}`)
    checkGeneration(metadata, remarks)
  }
  const id = readRuleId(metadata, 'id', at, requireIds, remarks)
  const hash = readRuleId(metadata, 'hash', at, requireIds, remarks)
  return { ...(id && { id }), ...(hash && { hash }) }
}

function readRuleId(
  metadata: MapNode | undefined,
  key: 'id' | 'hash',
  at: number,
  required: boolean,
  remarks: Remarks,
): Stated<string> | undefined {
  const entry = metadata && entryOf(metadata, key)
  const text = entry && readText(entry, `metadata.${key}`, remarks)
  if (entry === undefined || text === '') {
    if (required) remarks.problem('missing', at, `metadata.${key} is missing: rules of a package need one`)
    return undefined
  }
  if (text === undefined) return undefined
  if (RULE_ID.test(text)) return { value: text, at: entry.value.start }
  const allowed = 'at least 12 letters and digits, no zero'
  remarks.problem('bad-rule-id', entry.value.start, `metadata.${key} ${quote(text)} is not allowed: ${allowed}`)
  return undefined
}

/** The generation counts for nothing here, so a wrong one only interests the author. */
function checkGeneration(metadata: MapNode, remarks: Remarks): void {
  for (const key of ['generation', 'gen']) {
    const entry = entryOf(metadata, key)
    if (entry === undefined) continue
    const generation = numberOf(entry.value)
    if (generation === undefined || !Number.isInteger(generation) || generation < 0) {
      remarks.lint(entry.value.start, `metadata.${key} is a whole number, not ${describeNode(entry.value)}`)
    }
  }
}
