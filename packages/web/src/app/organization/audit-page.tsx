import { useId, useMemo, useState } from 'react'
import { useCall } from '../../controls/use-request.js'
import { useService } from '../account.js'
import type { AuditPage as Records } from '../api/messages.js'
import { Shown, Trouble } from '../frame/resource-view.js'
import { ExactMoment } from '../frame/time.js'
import { amend, useAddress } from '../navigation.js'
import { pathTo } from '../routes.js'
import { useRemote } from '../use-resource.js'
import { OrganizationPage } from './organization-page.js'

/** What is asked for most; the service knows more, which an address can name. */
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

/** Everything that has happened in the organization, the latest first. */
export function AuditPage() {
  const { search } = useAddress()
  const action = new URLSearchParams(search).get('action') ?? ''
  return (
    <OrganizationPage name="audit" title="Audit" lead="Everything that has changed, who did it, and from where.">
      <ActionChoice action={action} />
      <Pages key={action} action={action} />
    </OrganizationPage>
  )
}

function ActionChoice({ action }: { readonly action: string }) {
  const id = useId()
  const choose = (next: string) => {
    const query = next === '' ? '' : `?${new URLSearchParams({ action: next })}`
    amend(`${pathTo('audit')}${query}`)
  }
  const isKnown = action === '' || ACTIONS.some((known) => known === action)
  return (
    <div className="filters">
      <div className="field choice-field">
        <label htmlFor={id}>Show</label>
        <div className="input">
          <select id={id} value={action} onChange={(event) => choose(event.target.value)}>
            <option value="">Everything</option>
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

function Pages({ action }: { readonly action: string }) {
  const service = useService()
  const call = useCall()
  const first = useRemote(`audit ${action}`, () => service.readAudit({ action }))
  const [older, setOlder] = useState<readonly Records[]>([])
  const next = (older.at(-1) ?? first.value)?.next ?? null
  const more = () => {
    if (next === null) return
    call.run(
      () => service.readAudit({ action, before: next }),
      (page) => setOlder((pages) => [...pages, page]),
    )
  }
  return (
    <Shown remote={first} what="the audit">
      {(value) => (
        <>
          <RecordList pages={[value, ...older]} />
          {call.failure !== undefined && <Trouble failure={call.failure} wait={call.wait} onRetry={more} />}
          {next !== null && (
            <p className="actions">
              <button type="button" className="secondary" aria-disabled={call.pending} onClick={more}>
                {call.pending && <span className="spinner" aria-hidden="true" />}
                Show older ones
              </button>
            </p>
          )}
        </>
      )}
    </Shown>
  )
}

function RecordList({ pages }: { readonly pages: readonly Records[] }) {
  const records = useMemo(() => {
    // What is new at the front moves what follows: a record may come twice.
    const byId = new Map<string, AuditRecord>()
    for (const record of pages.flatMap((page) => page.records.map(readRecord))) byId.set(record.id, record)
    return [...byId.values()]
  }, [pages])
  if (records.length === 0) return <p>There is nothing of this kind yet.</p>
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
                <ExactMoment at={at} />
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
