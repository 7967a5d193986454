import type { Connection, CurrentConnection, ReplacementRequest } from '@omen/server/api'
import { useId, useState } from 'react'
import { type Check, sendable } from '../../checks/check.js'
import { checkClientId, checkClientSecret } from '../../checks/client.js'
import { checkWellKnownUrl } from '../../checks/well-known-url.js'
import { Field, SecretField } from '../../controls/field.js'
import { RequestForm } from '../../controls/form.js'
import { useRequest } from '../../controls/use-request.js'
import { useService } from '../account.js'
import type { Resource } from '../use-resource.js'

const KINDS = {
  secret: 'A new secret for the same application',
  provider: 'Another application or identity provider',
} as const

type Kind = keyof typeof KINDS

export interface NewConnectionProps {
  readonly current: CurrentConnection
  /** Whether the form replaces a new connection that was not switched to yet. */
  readonly replaces: boolean
  readonly resource: Resource<Connection>
}

/** The form for a new connection. The secret is kept in the state of this component only. */
export function NewConnection({ current, replaces, resource }: NewConnectionProps) {
  const service = useService()
  const request = useRequest()
  const [kind, setKind] = useState<Kind>('secret')
  const [typed, setTyped] = useState({ well_known_url: '', client_id: '', client_secret: '' })
  const type = (field: keyof typeof typed) => (text: string) => {
    request.clear()
    setTyped((last) => ({ ...last, [field]: text }))
  }
  const clientId = kind === 'secret' ? current.client_id : typed.client_id
  const secret = { client_secret: checkClientSecret(typed.client_secret, { clientId }) }
  const checks: Readonly<Partial<Record<keyof typeof typed, Check>>> =
    kind === 'secret'
      ? secret
      : {
          well_known_url: checkWellKnownUrl(typed.well_known_url),
          client_id: checkClientId(typed.client_id),
          ...secret,
        }
  const send = () => {
    const sent = Object.entries(checks).map(([field, check]) => [field, sendable(check)])
    const body = Object.fromEntries(sent) as ReplacementRequest
    request.run(
      () => service.proposeConnection(body),
      ({ next }) => {
        setTyped({ well_known_url: '', client_id: '', client_secret: '' })
        resource.put({ current, next })
        scrollTo(0, 0)
      },
    )
  }
  return (
    <section className="card">
      <h2>{replaces ? 'Replace the new connection' : 'Prepare a new connection'}</h2>
      <RequestForm
        key={kind}
        request={request}
        checks={checks}
        send={send}
        onAction={send}
        submitLabel="Check connection"
        pendingLabel="Checking with your identity provider…"
      >
        {({ submitted, serverError }) => (
          <>
            <KindChoice kind={kind} onChoose={setKind} />
            {kind === 'provider' && (
              <>
                <p className="hint">
                  First create the application there, with the URIs of the current connection. They stay the same.
                </p>
                <Field
                  label="Well-known URL"
                  example="https://idp.acme.com/.well-known/openid-configuration"
                  inputMode="url"
                  code
                  value={typed.well_known_url}
                  onType={type('well_known_url')}
                  check={checks.well_known_url!}
                  submitted={submitted}
                  serverError={serverError('well_known_url')}
                />
                <Field
                  label="Client ID"
                  code
                  value={typed.client_id}
                  onType={type('client_id')}
                  check={checks.client_id!}
                  submitted={submitted}
                  serverError={serverError('client_id')}
                />
              </>
            )}
            <SecretField
              hint="Stored encrypted and never shown again."
              value={typed.client_secret}
              onType={type('client_secret')}
              check={checks.client_secret!}
              submitted={submitted}
              serverError={serverError('client_secret')}
            />
          </>
        )}
      </RequestForm>
    </section>
  )
}

function KindChoice({ kind, onChoose }: { readonly kind: Kind; readonly onChoose: (kind: Kind) => void }) {
  const name = useId()
  return (
    <fieldset className="choice">
      <legend>What changes?</legend>
      <div className="cards wide">
        {(Object.keys(KINDS) as Kind[]).map((value) => (
          <label key={value}>
            <input type="radio" name={name} checked={kind === value} onChange={() => onChoose(value)} />
            {KINDS[value]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
