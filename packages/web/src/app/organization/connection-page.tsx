import { isWebAddress } from '../..//api/request.js'
import { CopyValue } from '../../controls/copy.js'
import { useAccount, useService } from '../account.js'
import type { Connection, CurrentConnection } from '../api/messages.js'
import { Shown } from '../frame/resource-view.js'
import { ExactMoment } from '../frame/time.js'
import { type Remote, useRemote } from '../use-resource.js'
import { NewConnection } from './new-connection.js'
import { NextConnection } from './next-connection.js'
import { OrganizationPage } from './organization-page.js'

/** The connection to the identity provider: what it is, and how it is replaced without locking anybody out. */
export function ConnectionPage() {
  const service = useService()
  const account = useAccount()
  const remote: Remote<Connection> = useRemote('connection', service.readConnection)
  return (
    <OrganizationPage
      name="connection"
      title="Connection to your identity provider"
      lead="Replace the client secret before it expires, or move to another identity provider. The old connection works until you switch."
    >
      <Shown remote={remote} what="the connection">
        {({ current, next }) => (
          <>
            {next !== null && <NextConnection next={next} email={account?.email ?? ''} remote={remote} />}
            <Current current={current} />
            <NewConnection current={current} replaces={next !== null} remote={remote} />
          </>
        )}
      </Shown>
    </OrganizationPage>
  )
}

/** What an administrator compares with the application at the identity provider. */
const ADDRESSES = [
  ['redirect_uri', 'Sign-in redirect URI'],
  ['initiate_login_uri', 'Initiate login URI'],
  ['backchannel_logout_uri', 'Back-channel logout URI'],
] as const

function Current({ current }: { readonly current: CurrentConnection }) {
  return (
    <section className="card">
      <h2>In use</h2>
      <dl className="addresses">
        <dt>Identity provider</dt>
        <dd className="value-text">{current.issuer}</dd>
        <dt>Configuration</dt>
        <dd className="value-text">
          {isWebAddress(current.well_known_url) ? (
            <a href={current.well_known_url} target="_blank" rel="noopener noreferrer">
              {current.well_known_url}
            </a>
          ) : (
            current.well_known_url
          )}
        </dd>
        <dt>Client ID</dt>
        <dd className="value-text">
          <code>{current.client_id}</code>
        </dd>
        {ADDRESSES.map(([field, label]) => {
          const value = current[field]
          if (value === null) return null
          return [
            <dt key={label}>{label}</dt>,
            <dd key={field}>
              <CopyValue value={value} what={label} />
            </dd>,
          ]
        })}
        <dt>Connected</dt>
        <dd className="value-text">
          <ExactMoment at={current.connected_at} />
        </dd>
      </dl>
    </section>
  )
}
