import { useId, useMemo, useState } from 'react'
import { useRequest } from '../../controls/use-request.js'
import { useService } from '../account.js'
import type { AuditPage as RecordPage } from '../api/messages.js'
import { RequestFailurePanel, ResourceView } from '../frame/resource-view.js'
import { ExactTime } from '../frame/time.js'
import { replaceAddress, useAddress } from '../navigation.js'
import { pathTo } from '../routes.js'
import { useResource } from '../use-resource.js'
import { OrganizationPage } from './organization-page.js'

/** The most useful filters. The URL can name any other action. */
const ACTIONS = [
  'user.signed_in',
  'sign_in.refused',
  'session.ended',
  'user.created',
  'user.removed',
  'user.role_changed',
  'device.approved',
  'device.signed_in',
  'domain.added',
  'domain.verified',
  'domain.removed',
  'connection.proposed',
  'connection.tested',
  'connection.replaced',
  'token.issued',
  'token.revoked',
  'rules.published',
  'rules.withdrawn',
] as const

/** The audit log of the organization, the latest record first. */
export function AuditPage() {
  const { search } = useAddress()
  const action = new URLSearchParams(search).get('action') ?? ''
  return (
    <OrganizationPage name="audit" title="Audit log" lead="Every change, who made it, and from where.">
      <ActionChoice action={action} />
      <Records key={action} action={action} />
    </OrganizationPage>
  )
}

function ActionChoice({ action }: { readonly action: string }) {
  const id = useId()
  const choose = (next: string) => {
    const query = next === '' ? '' : `?${new URLSearchParams({ action: next })}`
    replaceAddress(`${pathTo('audit')}${query}`)
  }
  const isKnown = action === '' || ACTIONS.some((known) => known === action)
  return (
    <div className="filters">
      <div className="field choice-field">
        <label htmlFor={id}>Action</label>
        <div className="input">
          <select id={id} value={action} onChange={(event) => choose(event.target.value)}>
            <option value="">All actions</option>
            {!isKnown && <option value={action}>{action}</option>}
            {ACTIONS.map((known) => (
              <option key={known} value={known}>
                {known}
              </option>
            ))}
          </select>
        </div>
      </div>
    </div>
  )
}

function Records({ action }: { readonly action: string }) {
  const service = useService()
  const request = useRequest()
  const first = useResource(`audit ${action}`, () => service.readAudit({ action }))
  const [older, setOlder] = useState<readonly RecordPage[]>([])
  const next = (older.at(-1) ?? first.value)?.next ?? null
  const more = () => {
    if (next === null) return
    request.run(
      () => service.readAudit({ action, before: next }),
      (page) => setOlder((pages) => [...pages, page]),
    )
  }
  return (
    <ResourceView resource={first} what="the audit log">
      {(value) => (
        <>
          <RecordList pages={[value, ...older]} />
          {request.failure !== undefined && (
            <RequestFailurePanel failure={request.failure} wait={request.wait} onRetry={more} />
          )}
          {next !== null && (
            <p className="actions">
              <button type="button" className="secondary" aria-disabled={request.pending} onClick={more}>
                {request.pending && <span className="spinner" aria-hidden="true" />}
                Show older records
              </button>
            </p>
          )}
        </>
      )}
    </ResourceView>
  )
}

function RecordList({ pages }: { readonly pages: readonly RecordPage[] }) {
  const records = useMemo(() => {
    // New records shift the pages, so a record can be on two of them.
    const byId = new Map<string, AuditRecord>()
    for (const record of pages.flatMap((page) => page.records.map(readRecord))) byId.set(record.id, record)
    return [...byId.values()]
  }, [pages])
  if (records.length === 0) return <p>There are no records with this action.</p>
  return (
    <ul className="records audit">
      {records.map(({ id, at, action, actor, facts }) => (
        <li key={id}>
          <div>
            <h2>
              <code>{action}</code>
            </h2>
            <p className="facts">
              <span>
                <ExactTime at={at} />
              </span>
              <span>{actor}</span>
              {facts.map(([name, value]) => (
                <span key={name}>
                  {name}: {value}
                </span>
              ))}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** A record of the audit log, formatted. */
export interface AuditRecord {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly actor: string
  /** All other fields, as pairs of name and value. */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

const MAIN_FIELDS = new Set(['id', 'at', 'action', 'actor', 'detail'])

/**
 * Formats a record of the service. The fields other than the main ones, in `detail` or next to it, depend on the action.
 *
 * @example
 * readRecord({ id: '7', at: '…', action: 'user.signed_in', actor: 'user 1', address: '203.0.113.7' }).facts
 * // [['address', '203.0.113.7']]
 */
export function readRecord(record: Readonly<Record<string, unknown>>): AuditRecord {
  const { detail } = record
  const others = Object.entries(record).filter(([name]) => !MAIN_FIELDS.has(name))
  const details = typeof detail === 'object' && detail !== null ? Object.entries(detail) : [['detail', detail] as const]
  const facts = new Map(
    [...others, ...details].filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
  return {
    id: format(record.id),
    at: format(record.at),
    action: format(record.action),
    actor: format(record.actor),
    facts: [...facts].map(([name, value]) => [name.replaceAll('_', ' '), format(value)] as const),
  }
}

function format(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(format).join(', ')
  return value === undefined ? '' : JSON.stringify(value)
}
