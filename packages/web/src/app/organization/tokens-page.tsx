import { useState } from 'react'
import { CopyValue } from '../../controls/copy.js'
import { Icon } from '../../controls/icon.js'
import { useService } from '../account.js'
import type { NewToken, Token, TokenList } from '../api/messages.js'
import { AskFirst } from '../frame/confirm-button.js'
import { Shown } from '../frame/resource-view.js'
import { ExactMoment, Moment } from '../frame/time.js'
import { type Remote, useRemote } from '../use-resource.js'
import { IssueToken } from './issue-token.js'
import { OrganizationPage } from './organization-page.js'

/** The tokens with which machines of the organization use the service. */
export function TokensPage() {
  const service = useService()
  const remote = useRemote('tokens', service.listTokens)
  const [issued, setIssued] = useState<NewToken>()
  return (
    <OrganizationPage
      name="tokens"
      title="Tokens for machines"
      lead="For pipelines and servers, where nobody can sign in."
    >
      {issued !== undefined && <Issued token={issued} onSeen={() => setIssued(undefined)} />}
      <Shown remote={remote} what="the tokens">
        {({ tokens }) => (
          <>
            {tokens.length === 0 && <p>There are none yet.</p>}
            <ul className="records">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} remote={remote} />
              ))}
            </ul>
            <IssueToken
              onIssued={(token) => {
                setIssued(token)
                remote.reload()
                scrollTo(0, 0)
              }}
            />
          </>
        )}
      </Shown>
    </OrganizationPage>
  )
}

/** A token is shown once: only its hash is stored. */
function Issued({ token, onSeen }: { readonly token: NewToken; readonly onSeen: () => void }) {
  return (
    <section className="card issued" role="status">
      <h2>
        <Icon name="tick" /> {token.name} is ready
      </h2>
      <p>Copy it now. It is shown this once, and nobody can look it up later.</p>
      <CopyValue value={token.token} what="the token" />
      <p className="actions">
        <button type="button" className="secondary" onClick={onSeen}>
          I have copied it
        </button>
      </p>
    </section>
  )
}

interface RowProps {
  readonly token: Token
  readonly remote: Remote<TokenList>
}

function TokenRow({ token, remote }: RowProps) {
  const service = useService()
  const { id, name, scopes, created_by, created_at, expires_at, last_used_at } = token
  const others = () => (remote.value?.tokens ?? []).filter((other) => other.id !== id)
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return (
    <li>
      <div>
        <h2>
          {name}{' '}
          {isOver && (
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
            made <Moment at={created_at} />
            {created_by !== null && ` by ${created_by}`}
          </span>
          <span>
            last used <Moment at={last_used_at} />
          </span>
          {expires_at !== null && (
            <span>
              {isOver ? 'expired ' : 'expires '}
              <ExactMoment at={expires_at} />
            </span>
          )}
        </p>
      </div>
      <AskFirst
        label="Revoke"
        name={`Revoke ${name}`}
        question={`Revoke ${name}?`}
        yes="Revoke"
        make={() => service.revokeToken(id)}
        done={() => remote.put({ tokens: others() })}
      >
        <p>Whatever uses it is refused from now on.</p>
      </AskFirst>
    </li>
  )
}
