import type { Connection, CurrentConnection } from '@omen/server/api'
import { isWebUrl } from '../../api/request.js'
import { CopyValue } from '../../controls/copy.js'
import { useAccount, useService } from '../account.js'
import { ResourceView } from '../frame/resource-view.js'
import { ExactTime } from '../frame/time.js'
import { type Resource, useResource } from '../use-resource.js'
import { NewConnection } from './new-connection.js'
import { NextConnection } from './next-connection.js'
import { OrganizationPage } from './organization-page.js'

/** The connection to the identity provider, and how to replace it without locking users out. */
export function ConnectionPage() {
  const service = useService()
  const account = useAccount()
  const resource: Resource<Connection> = useResource('connection', service.readConnection)
  return (
    <OrganizationPage
      name="connection"
      title="Identity provider connection"
      lead="Replace the client secret before it expires, or change the identity provider. The current connection stays in use until you switch."
    >
      <ResourceView resource={resource} what="the connection">
        {({ current, next }) => (
          <>
            {next !== null && <NextConnection next={next} email={account?.email ?? ''} resource={resource} />}
            <Current current={current} />
            <NewConnection current={current} replaces={next !== null} resource={resource} />
          </>
        )}
      </ResourceView>
    </OrganizationPage>
  )
}

/** The URIs that the application at the identity provider must have. */
const URIS = [
  ['redirect_uri', 'Sign-in redirect URI'],
  ['initiate_login_uri', 'Initiate login URI'],
  ['backchannel_logout_uri', 'Back-channel logout URI'],
] as const

function Current({ current }: { readonly current: CurrentConnection }) {
  return (
    <section className="card">
      <h2>Current connection</h2>
      <dl className="addresses">
        <dt>Identity provider</dt>
        <dd className="value-text">{current.issuer}</dd>
        <dt>Configuration</dt>
        <dd className="value-text">
          {isWebUrl(current.well_known_url) ? (
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
        {URIS.map(([field, label]) => {
          return [
            <dt key={label}>{label}</dt>,
            <dd key={field}>
              <CopyValue value={current[field]} what={label} />
            </dd>,
          ]
        })}
        <dt>Connected</dt>
        <dd className="value-text">
          <ExactTime at={current.connected_at} />
        </dd>
      </dl>
    </section>
  )
}
