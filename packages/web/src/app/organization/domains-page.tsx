import type { Domain, DomainList } from '@omen/server/api'
import { useState } from 'react'
import { sendable } from '../../checks/check.js'
import { checkDomain } from '../../checks/domain.js'
import { CopyValue } from '../../controls/copy.js'
import { Field } from '../../controls/field.js'
import { RequestButton, RequestForm } from '../../controls/form.js'
import { useRequest } from '../../controls/use-request.js'
import { useService } from '../account.js'
import { ConfirmButton } from '../frame/confirm-button.js'
import { RequestFailurePanel, ResourceView } from '../frame/resource-view.js'
import { RelativeTime } from '../frame/time.js'
import { type Resource, useResource } from '../use-resource.js'
import { OrganizationPage } from './organization-page.js'

/** The e-mail domains of the organization. Users with an address at a verified domain can sign in. */
export function DomainsPage() {
  const service = useService()
  const resource = useResource('domains', service.listDomains)
  return (
    <OrganizationPage
      name="domains"
      title="E-mail domains"
      lead="Users with an e-mail address at a verified domain can sign in. A DNS record verifies that you own a domain."
    >
      <ResourceView resource={resource} what="the domains">
        {({ domains }) => (
          <>
            <ul className="records">
              {domains.map((domain) => (
                <DomainRow key={domain.domain} domain={domain} resource={resource} />
              ))}
            </ul>
            <AddDomain resource={resource} />
          </>
        )}
      </ResourceView>
    </OrganizationPage>
  )
}

/** The list with one domain replaced, or added at the end. */
function withDomain({ domains }: DomainList, changed: Domain): DomainList {
  const isKnown = domains.some(({ domain }) => domain === changed.domain)
  return {
    domains: isKnown
      ? domains.map((other) => (other.domain === changed.domain ? changed : other))
      : [...domains, changed],
  }
}

interface RowProps {
  readonly domain: Domain
  readonly resource: Resource<DomainList>
}

function DomainRow({ domain: row, resource }: RowProps) {
  const service = useService()
  const { domain, status, primary, added_at, verified_at } = row
  const others = () => (resource.value?.domains ?? []).filter((other) => other.domain !== domain)
  return (
    <li>
      <div>
        <h2>
          {domain}{' '}
          <span className="badge" data-tone={status === 'verified' ? 'good' : 'doubtful'}>
            {status}
          </span>
        </h2>
        <p className="facts">
          {primary && <span>Primary domain</span>}
          <span>
            {status === 'verified' ? 'verified ' : 'added '}
            <RelativeTime at={status === 'verified' ? verified_at : added_at} />
          </span>
        </p>
      </div>
      {!primary && (
        <ConfirmButton
          label="Remove"
          name={`Remove ${domain}`}
          question={`Remove ${domain}?`}
          confirmLabel="Remove"
          send={() => service.removeDomain(domain)}
          onSuccess={() => resource.put({ domains: others() })}
        >
          <p>Users with an address at {domain} are signed out immediately and can no longer sign in.</p>
        </ConfirmButton>
      )}
      {status === 'pending' && <Verification domain={row} resource={resource} />}
    </li>
  )
}

function Verification({ domain: { domain, record }, resource }: RowProps) {
  const service = useService()
  const request = useRequest()
  const check = () =>
    request.run(
      () => service.checkDomain(domain),
      (verified) => resource.value !== undefined && resource.put(withDomain(resource.value, verified)),
    )
  return (
    <div className="proof">
      <p>Add this record to the DNS of {domain}. It can take a while until it is visible everywhere.</p>
      <dl className="addresses">
        <dt>Type</dt>
        <dd>
          <code>{record.type}</code>
        </dd>
        <dt>Name</dt>
        <dd>
          <CopyValue value={record.name} what={`the name of the record for ${domain}`} />
        </dd>
        <dt>Value</dt>
        <dd>
          <CopyValue value={record.value} what={`the value of the record for ${domain}`} />
        </dd>
      </dl>
      <RequestFailurePanel request={request} onRetry={check} />
      <p className="actions">
        <RequestButton request={request} className="primary" onClick={check}>
          {request.pending ? 'Checking…' : 'Check now'}
          <span className="off-screen"> whether {domain} is verified</span>
        </RequestButton>
      </p>
    </div>
  )
}

function AddDomain({ resource }: { readonly resource: Resource<DomainList> }) {
  const service = useService()
  const request = useRequest()
  const [typed, setTyped] = useState('')
  const check = checkDomain(typed)
  const send = () => {
    const domain = sendable(check)
    if (domain === undefined) return
    request.run(
      () => service.addDomain(domain),
      (added) => {
        setTyped('')
        if (resource.value !== undefined) resource.put(withDomain(resource.value, added))
      },
    )
  }
  return (
    <section className="card">
      <h2>Add a domain</h2>
      <RequestForm
        request={request}
        checks={{ domain: check }}
        send={send}
        onAction={send}
        submitLabel="Add domain"
        pendingLabel="Adding the domain…"
      >
        {({ submitted, serverError }) => (
          <Field
            label="E-mail domain"
            example="acme.org"
            inputMode="url"
            value={typed}
            onType={(text) => {
              request.clear()
              setTyped(text)
            }}
            check={check}
            submitted={submitted}
            serverError={serverError('domain')}
          />
        )}
      </RequestForm>
    </section>
  )
}
