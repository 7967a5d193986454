import { quote } from '../../messages/quote.js'
import type { Diagnostics } from '../diagnostics.js'
import { entryOf, type MapNode } from '../document/tree.js'
import { describeNode, ignoredKeys, numberOf, readText, type Stated } from './fields.js'

/** Base58 has no zero; the letters that it leaves out are accepted, because ids in use have them. */
const RULE_ID = /^[1-9A-Za-z]{12,}$/

/** The identifiers that a document states. Missing ones are derived. */
export interface RuleIdentity {
  readonly id?: Stated<string>
  readonly hash?: Stated<string>
}

/** Reads `metadata`, which may be absent altogether. */
export function readMetadata(
  metadata: MapNode | undefined,
  at: number,
  requireIds: boolean,
  diagnostics: Diagnostics,
): RuleIdentity {
  if (metadata !== undefined) {
    for (const { value, at } of ignoredKeys(metadata, 'metadata')) diagnostics.lint(at, `metadata: ${value}`)
    checkGeneration(metadata, diagnostics)
  }
  const id = readRuleId(metadata, 'id', at, requireIds, diagnostics)
  const hash = readRuleId(metadata, 'hash', at, requireIds, diagnostics)
  return { ...(id && { id }), ...(hash && { hash }) }
}

function readRuleId(
  metadata: MapNode | undefined,
  key: 'id' | 'hash',
  at: number,
  required: boolean,
  diagnostics: Diagnostics,
): Stated<string> | undefined {
  const entry = metadata && entryOf(metadata, key)
  const text = entry && readText(entry, `metadata.${key}`, diagnostics)
  if (entry === undefined || text === '') {
    if (required) diagnostics.problem('missing', at, `metadata.${key} is missing: rules of a package need one`)
    return undefined
  }
  if (text === undefined) return undefined
  if (RULE_ID.test(text)) return { value: text, at: entry.value.start }
  const allowed = 'at least 12 letters and digits, no zero'
  diagnostics.problem('bad-rule-id', entry.value.start, `metadata.${key} ${quote(text)} is not allowed: ${allowed}`)
  return undefined
}

/** The generation has no effect, so a wrong one is a note for the author only. */
function checkGeneration(metadata: MapNode, diagnostics: Diagnostics): void {
  for (const key of ['generation', 'gen']) {
    const entry = entryOf(metadata, key)
    if (entry === undefined) continue
    const generation = numberOf(entry.value)
    if (generation === undefined || !Number.isInteger(generation) || generation < 0) {
      diagnostics.lint(entry.value.start, `metadata.${key} is a whole number, not ${describeNode(entry.value)}`)
    }
  }
}
