import type { Connection, NextConnection as Next } from '@omen/server/api'
import { isWebUrl } from '../../api/request.js'
import { CopyValue } from '../../controls/copy.js'
import { RequestButton } from '../../controls/form.js'
import { Icon, type IconName } from '../../controls/icon.js'
import { useRequest } from '../../controls/use-request.js'
import { useService } from '../account.js'
import { ConfirmButton } from '../frame/confirm-button.js'
import { RequestFailurePanel } from '../frame/resource-view.js'
import { RelativeTime } from '../frame/time.js'
import type { Resource } from '../use-resource.js'

export interface NextConnectionProps {
  readonly next: Next
  /** The e-mail address of the signed-in user. */
  readonly email: string
  readonly resource: Resource<Connection>
}

const ICONS: Readonly<Record<Next['status'], IconName>> = {
  untested: 'clock',
  testing: 'clock',
  passed: 'tick',
  failed: 'cross',
}

/** A new connection, which is verified first and then switched to. */
export function NextConnection({ next, email, resource }: NextConnectionProps) {
  const service = useService()
  const isVerified = next.status === 'passed' && next.tested_as?.toLowerCase() === email.toLowerCase()
  const replaced = () => resource.value !== undefined && resource.put({ ...resource.value, next: null })
  return (
    <section className="card next-connection">
      <h2>New connection</h2>
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
        The application at the identity provider needs this redirect URI. The new connection expires{' '}
        <RelativeTime at={next.expires_at} />.
      </p>
      <p role="status" className="test-result" data-status={next.status}>
        <span>
          <Icon name={ICONS[next.status]} /> {statusOf(next, email)}
        </span>
      </p>
      <Verify isVerified={isVerified} />
      <div className="actions">
        {isVerified && <Switch resource={resource} />}
        <ConfirmButton
          label="Discard"
          className="plain"
          question="Discard the new connection?"
          confirmLabel="Discard"
          send={service.discardConnection}
          onSuccess={replaced}
        >
          <p>The current connection stays in use. The secret that you entered is deleted.</p>
        </ConfirmButton>
      </div>
    </section>
  )
}

function statusOf({ status, detail, tested_as }: Next, email: string): string {
  switch (status) {
    case 'untested':
      return 'Not tested yet. Sign in with it once to verify that it works.'
    case 'testing':
      return 'A test sign-in has started and is not complete yet.'
    case 'failed':
      return detail ?? 'The test sign-in failed.'
    case 'passed':
      return tested_as?.toLowerCase() === email.toLowerCase()
        ? `Verified: you signed in as ${tested_as}.`
        : `${tested_as ?? 'Another user'} signed in. Sign in with it yourself as ${email} before you switch, so that you are not locked out.`
  }
}

/** Redirects to the identity provider and back to this page. */
function Verify({ isVerified }: { readonly isVerified: boolean }) {
  const service = useService()
  const request = useRequest()
  const begin = () =>
    request.run(service.testConnection, ({ url }) => {
      if (isWebUrl(url)) location.assign(url)
    })
  return (
    <>
      <RequestFailurePanel request={request} onRetry={begin} />
      <p className="actions">
        <RequestButton request={request} className={isVerified ? 'secondary' : 'primary'} onClick={begin}>
          {isVerified ? 'Test sign-in again' : 'Test sign-in'}
        </RequestButton>
      </p>
    </>
  )
}

function Switch({ resource }: { readonly resource: Resource<Connection> }) {
  const service = useService()
  return (
    <ConfirmButton
      label="Switch"
      className="primary"
      question="Switch to the new connection?"
      confirmLabel="Switch"
      send={service.switchConnection}
      onSuccess={(connection) => {
        resource.put(connection)
        // With another identity provider, all users are signed out, including the current one.
        resource.reload()
      }}
    >
      <p>
        All users then sign in with the new connection. If the identity provider changes, everyone has to sign in again.
      </p>
    </ConfirmButton>
  )
}
