import type { AuditRecord, AuditPage as RecordPage } from '@omen/server/api'
import { useMemo, useState } from 'react'
import { SelectField } from '../../controls/field.js'
import { RequestButton } from '../../controls/form.js'
import { useRequest } from '../../controls/use-request.js'
import { useService } from '../account.js'
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
  const choose = (next: string) => {
    const query = next === '' ? '' : `?${new URLSearchParams({ action: next })}`
    replaceAddress(`${pathTo('audit')}${query}`)
  }
  const isKnown = action === '' || ACTIONS.some((known) => known === action)
  return (
    <div className="filters">
      <SelectField
        className="choice-field"
        label="Action"
        value={action}
        options={[
          ['', 'All actions'],
          ...(isKnown ? [] : [action]).concat(ACTIONS).map((name) => [name, name] as const),
        ]}
        onChoose={choose}
      />
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
          <RequestFailurePanel request={request} onRetry={more} />
          {next !== null && (
            <p className="actions">
              <RequestButton request={request} className="secondary" onClick={more}>
                Show older records
              </RequestButton>
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
    for (const record of pages.flatMap(({ records }) => records)) byId.set(record.id, record)
    return [...byId.values()]
  }, [pages])
  if (records.length === 0) return <p>There are no records with this action.</p>
  return (
    <ul className="records audit">
      {records.map((record) => (
        <li key={record.id}>
          <div>
            <h2>
              <code>{record.action}</code>
            </h2>
            <p className="facts">
              <span>
                <ExactTime at={record.at} />
              </span>
              <span>{record.actor}</span>
              {factsOf(record).map(([name, value]) => (
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

/**
 * The fields of a record other than the main ones, formatted as pairs of name and value. Empty ones are left out.
 *
 * @example
 * factsOf({ id: '7', at: '…', action: 'user.signed_in', actor: 'user 1', address: '203.0.113.7', detail: { user_id: 1 } })
 * // [['address', '203.0.113.7'], ['user id', '1']]
 */
export function factsOf({ address, detail }: AuditRecord): readonly (readonly [name: string, value: string])[] {
  return Object.entries({ address, ...detail })
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [name.replaceAll('_', ' '), format(value)] as const)
}

function format(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(format).join(', ') : JSON.stringify(value)
}
