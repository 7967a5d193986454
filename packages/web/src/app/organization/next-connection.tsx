import { isWebAddress } from '../..//api/request.js'
import { CopyValue } from '../../controls/copy.js'
import { Icon, type IconName } from '../../controls/icon.js'
import { useCall } from '../../controls/use-request.js'
import { useService } from '../account.js'
import type { Connection, NextConnection as Next } from '../api/messages.js'
import { AskFirst } from '../frame/confirm-button.js'
import { Trouble } from '../frame/resource-view.js'
import { Moment } from '../frame/time.js'
import type { Remote } from '../use-resource.js'

export interface NextConnectionProps {
  readonly next: Next
  /** Of whoever is signed in. */
  readonly email: string
  readonly remote: Remote<Connection>
}

const ICONS: Readonly<Record<Next['status'], IconName>> = {
  untested: 'clock',
  testing: 'clock',
  passed: 'tick',
  failed: 'cross',
}

/** A connection that waits to be verified and switched to. */
export function NextConnection({ next, email, remote }: NextConnectionProps) {
  const service = useService()
  const isVerified = next.status === 'passed' && next.tested_as?.toLowerCase() === email.toLowerCase()
  const replaced = () => remote.value !== undefined && remote.put({ ...remote.value, next: null })
  return (
    <section className="card next-connection">
      <h2>Waiting to be switched to</h2>
      <dl className="addresses">
        <dt>Identity provider</dt>
        <dd className="value-text">{next.issuer}</dd>
        <dt>Client ID</dt>
        <dd className="value-text">
          <code>{next.client_id}</code>
        </dd>
        <dt>Sign-in redirect URI</dt>
        <dd>
          <CopyValue value={next.redirect_uri} what="Sign-in redirect URI" />
        </dd>
      </dl>
      <p className="fine">
        The application at the identity provider needs this redirect URI. All this is forgotten{' '}
        <Moment at={next.expires_at} />.
      </p>
      <p role="status" className="test-result" data-status={next.status}>
        <span>
          <Icon name={ICONS[next.status]} /> {statusOf(next, email)}
        </span>
      </p>
      <Prove isVerified={isVerified} />
      <div className="actions">
        {isVerified && <Switch remote={remote} />}
        <AskFirst
          label="Discard"
          className="plain"
          question="Discard the new connection?"
          yes="Discard"
          make={service.discardConnection}
          done={replaced}
        >
          <p>The connection in use stays as it is. The secret that you entered is forgotten.</p>
        </AskFirst>
      </div>
    </section>
  )
}

function statusOf({ status, detail, tested_as }: Next, email: string): string {
  switch (status) {
    case 'untested':
      return 'Not tried yet. Sign in once through it to prove that it works.'
    case 'testing':
      return 'A sign-in through it has begun, and has not come back yet.'
    case 'failed':
      return detail ?? 'The sign-in did not work.'
    case 'passed':
      return tested_as?.toLowerCase() === email.toLowerCase()
        ? `It works: you signed in through it as ${tested_as}.`
        : `${tested_as ?? 'Somebody'} signed in through it. You are ${email}: sign in through it yourself before you switch, so that you are not locked out.`
  }
}

/** Leads to the identity provider and back to this page. */
function Prove({ isVerified }: { readonly isVerified: boolean }) {
  const service = useService()
  const call = useCall()
  const begin = () =>
    call.run(service.testConnection, ({ url }) => {
      if (isWebAddress(url)) location.assign(url)
    })
  return (
    <>
      {call.failure !== undefined && <Trouble failure={call.failure} wait={call.wait} onRetry={begin} />}
      <p className="actions">
        <button
          type="button"
          className={isVerified ? 'secondary' : 'primary'}
          aria-disabled={call.pending || call.wait > 0}
          onClick={begin}
        >
          {call.pending && <span className="spinner" aria-hidden="true" />}
          {isVerified ? 'Sign in through it again' : 'Sign in once to prove it'}
        </button>
      </p>
    </>
  )
}

function Switch({ remote }: { readonly remote: Remote<Connection> }) {
  const service = useService()
  return (
    <AskFirst
      label="Switch to it"
      className="primary"
      question="Switch to the new connection?"
      yes="Switch"
      make={service.switchConnection}
      done={(connection) => {
        remote.put(connection)
        // With another identity provider everybody is signed out, whoever switched included.
        remote.reload()
      }}
    >
      <p>From now on everybody signs in through it. With another identity provider, everybody has to sign in again.</p>
    </AskFirst>
  )
}
