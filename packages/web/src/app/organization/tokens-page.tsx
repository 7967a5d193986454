import type { ApiToken, ApiTokenList, IssuedApiToken } from '@omen/server/api'
import { useState } from 'react'
import { CopyValue } from '../../controls/copy.js'
import { Icon } from '../../controls/icon.js'
import { useService } from '../account.js'
import { ConfirmButton } from '../frame/confirm-button.js'
import { ResourceView } from '../frame/resource-view.js'
import { ExactTime, RelativeTime } from '../frame/time.js'
import { type Resource, useResource } from '../use-resource.js'
import { IssueToken } from './issue-token.js'
import { OrganizationPage } from './organization-page.js'

/** The tokens with which programs of the organization use the service. */
export function TokensPage() {
  const service = useService()
  const resource = useResource('tokens', service.listTokens)
  const [issued, setIssued] = useState<IssuedApiToken>()
  return (
    <OrganizationPage name="tokens" title="API tokens" lead="For pipelines and servers, which cannot sign in.">
      {issued !== undefined && <Issued token={issued} onDone={() => setIssued(undefined)} />}
      <ResourceView resource={resource} what="the tokens">
        {({ tokens }) => (
          <>
            {tokens.length === 0 && <p>There are no tokens yet.</p>}
            <ul className="records">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} resource={resource} />
              ))}
            </ul>
            <IssueToken
              onIssued={(token) => {
                setIssued(token)
                resource.reload()
                scrollTo(0, 0)
              }}
            />
          </>
        )}
      </ResourceView>
    </OrganizationPage>
  )
}

/** A token is shown only once: the service stores only its hash. */
function Issued({ token, onDone }: { readonly token: IssuedApiToken; readonly onDone: () => void }) {
  return (
    <section className="card issued" role="status">
      <h2>
        <Icon name="tick" /> Token {token.name} created
      </h2>
      <p>Copy it now. It cannot be shown again.</p>
      <CopyValue value={token.token} what="the token" />
      <p className="actions">
        <button type="button" className="secondary" onClick={onDone}>
          Done
        </button>
      </p>
    </section>
  )
}

interface RowProps {
  readonly token: ApiToken
  readonly resource: Resource<ApiTokenList>
}

function TokenRow({ token, resource }: RowProps) {
  const service = useService()
  const { id, name, scopes, created_by, created_at, expires_at, last_used_at } = token
  const others = () => (resource.value?.tokens ?? []).filter((other) => other.id !== id)
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return (
    <li>
      <div>
        <h2>
          {name}{' '}
          {isExpired && (
            <span className="badge" data-tone="bad">
              Expired
            </span>
          )}
        </h2>
        <p className="facts">
          {scopes.map((scope) => (
            <code key={scope}>{scope}</code>
          ))}
          <span>
            created <RelativeTime at={created_at} />
            {` by ${created_by}`}
          </span>
          <span>
            last used <RelativeTime at={last_used_at} />
          </span>
          {expires_at !== null && (
            <span>
              {isExpired ? 'expired ' : 'expires '}
              <ExactTime at={expires_at} />
            </span>
          )}
        </p>
      </div>
      <ConfirmButton
        label="Revoke"
        name={`Revoke ${name}`}
        question={`Revoke ${name}?`}
        confirmLabel="Revoke"
        send={() => service.revokeToken(id)}
        onSuccess={() => resource.put({ tokens: others() })}
      >
        <p>Programs that use it lose access immediately.</p>
      </ConfirmButton>
    </li>
  )
}
