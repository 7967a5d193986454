import { useState } from 'react'
import { sendable } from '../../checks/check.js'
import { checkDomain } from '../../checks/domain.js'
import { CopyValue } from '../../controls/copy.js'
import { Field } from '../../controls/field.js'
import { StepForm } from '../../controls/form.js'
import { useCall } from '../../controls/use-request.js'
import { useService } from '../account.js'
import type { Domain, DomainList } from '../api/messages.js'
import { AskFirst } from '../frame/confirm-button.js'
import { Shown, Trouble } from '../frame/resource-view.js'
import { Moment } from '../frame/time.js'
import { type Remote, useRemote } from '../use-resource.js'
import { OrganizationPage } from './organization-page.js'

/** The e-mail domains of the organization: people with an address at a verified one can sign in. */
export function DomainsPage() {
  const service = useService()
  const remote = useRemote('domains', service.listDomains)
  return (
    <OrganizationPage
      name="domains"
      title="E-mail domains"
      lead="People with an address at one of these can sign in. A record in the DNS proves that a domain is yours."
    >
      <Shown remote={remote} what="the domains">
        {({ domains }) => (
          <>
            <ul className="records">
              {domains.map((domain) => (
                <DomainRow key={domain.domain} domain={domain} remote={remote} />
              ))}
            </ul>
            <AddDomain remote={remote} />
          </>
        )}
      </Shown>
    </OrganizationPage>
  )
}

/** The list with one domain in the place that it had, or at the end. */
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
  readonly remote: Remote<DomainList>
}

function DomainRow({ domain: row, remote }: RowProps) {
  const service = useService()
  const { domain, status, primary, added_at, verified_at } = row
  const others = () => (remote.value?.domains ?? []).filter((other) => other.domain !== domain)
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
          {primary && <span>The domain of the set-up</span>}
          <span>
            {status === 'verified' ? 'verified ' : 'added '}
            <Moment at={status === 'verified' ? verified_at : added_at} />
          </span>
        </p>
      </div>
      {!primary && (
        <AskFirst
          label="Remove"
          name={`Remove ${domain}`}
          question={`Remove ${domain}?`}
          yes="Remove"
          make={() => service.removeDomain(domain)}
          done={() => remote.put({ domains: others() })}
        >
          <p>People with an address at {domain} are signed out at once, and cannot sign in any more.</p>
        </AskFirst>
      )}
      {status === 'pending' && <Proof domain={row} remote={remote} />}
    </li>
  )
}

function Proof({ domain: { domain, record }, remote }: RowProps) {
  const service = useService()
  const call = useCall()
  const check = () =>
    call.run(
      () => service.checkDomain(domain),
      (verified) => remote.value !== undefined && remote.put(withDomain(remote.value, verified)),
    )
  return (
    <div className="proof">
      {record !== null && (
        <>
          <p>Add this record where the DNS of {domain} is managed. It may take a while until it is seen everywhere.</p>
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
        </>
      )}
      {call.failure !== undefined && <Trouble failure={call.failure} wait={call.wait} onRetry={check} />}
      <p className="actions">
        <button type="button" className="primary" aria-disabled={call.pending || call.wait > 0} onClick={check}>
          {call.pending && <span className="spinner" aria-hidden="true" />}
          {call.pending ? 'Looking it up…' : 'Check now'}
          <span className="off-screen"> whether {domain} is verified</span>
        </button>
      </p>
    </div>
  )
}

function AddDomain({ remote }: { readonly remote: Remote<DomainList> }) {
  const service = useService()
  const call = useCall()
  const [typed, setTyped] = useState('')
  const check = checkDomain(typed)
  const send = () => {
    const domain = sendable(check)
    if (domain === undefined) return
    call.run(
      () => service.addDomain(domain),
      (added) => {
        setTyped('')
        if (remote.value !== undefined) remote.put(withDomain(remote.value, added))
      },
    )
  }
  return (
    <section className="card">
      <h2>Add a domain</h2>
      <StepForm
        call={call}
        checks={{ domain: check }}
        send={send}
        onOffer={send}
        action="Add it"
        pendingAction="Adding it…"
      >
        {({ tried, refused }) => (
          <Field
            label="E-mail domain"
            example="acme.org"
            inputMode="url"
            value={typed}
            onType={(text) => {
              call.forget()
              setTyped(text)
            }}
            check={check}
            tried={tried}
            refused={refused('domain')}
          />
        )}
      </StepForm>
    </section>
  )
}
