/** A record of the audit, ready to be shown. */
export interface AuditRecord {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly actor: string
  /** Everything else that it says, as pairs of words. */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

const OWN = new Set(['id', 'at', 'action', 'actor', 'detail'])

/**
 * Makes a record of what the service sends. What it says beside its own fields, in `detail` or next to it, depends on the action.
 *
 * @example
 * readRecord({ id: '7', at: '…', action: 'user.signed_in', actor: 'user 1', address: '203.0.113.7' }).facts
 * // [['address', '203.0.113.7']]
 */
export function readRecord(record: Readonly<Record<string, unknown>>): AuditRecord {
  const { detail } = record
  const beside = Object.entries(record).filter(([name]) => !OWN.has(name))
  const inside = typeof detail === 'object' && detail !== null ? Object.entries(detail) : [['detail', detail] as const]
  const facts = new Map(
    [...beside, ...inside].filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
  return {
    id: wordOf(record.id),
    at: wordOf(record.at),
    action: wordOf(record.action),
    actor: wordOf(record.actor),
    facts: [...facts].map(([name, value]) => [name.replaceAll('_', ' '), wordOf(value)] as const),
  }
}

function wordOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(wordOf).join(', ')
  return value === undefined ? '' : JSON.stringify(value)
}
