import { useId, useState } from 'react'
import { type Check, sendable } from '../../checks/check.js'
import { checkClientId, checkClientSecret } from '../../checks/client.js'
import { checkWellKnownUrl } from '../../checks/well-known-url.js'
import { Field, SecretField } from '../../controls/field.js'
import { StepForm } from '../../controls/form.js'
import { useCall } from '../../controls/use-request.js'
import { useService } from '../account.js'
import type { Connection, ConnectionRequest, CurrentConnection } from '../api/messages.js'
import type { Remote } from '../use-resource.js'

const KINDS = {
  secret: 'A new secret for the same application',
  provider: 'Another application or identity provider',
} as const

type Kind = keyof typeof KINDS

export interface NewConnectionProps {
  readonly current: CurrentConnection
  /** Whether another one waits, which this one takes the place of. */
  readonly replaces: boolean
  readonly remote: Remote<Connection>
}

/** The form for a new connection, with the checks of the set-up page. The secret lives in it alone, and is gone with it. */
export function NewConnection({ current, replaces, remote }: NewConnectionProps) {
  const service = useService()
  const call = useCall()
  const [kind, setKind] = useState<Kind>('secret')
  const [typed, setTyped] = useState({ well_known_url: '', client_id: '', client_secret: '' })
  const type = (field: keyof typeof typed) => (text: string) => {
    call.forget()
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
    const request = Object.fromEntries(sent) as ConnectionRequest
    call.run(
      () => service.offerConnection(request),
      ({ next }) => {
        setTyped({ well_known_url: '', client_id: '', client_secret: '' })
        remote.put({ current, next })
        scrollTo(0, 0)
      },
    )
  }
  return (
    <section className="card">
      <h2>{replaces ? 'Replace the one that waits' : 'Prepare a new connection'}</h2>
      <StepForm
        key={kind}
        call={call}
        checks={checks}
        send={send}
        onOffer={send}
        action="Check it"
        pendingAction="Trying it at your identity provider…"
      >
        {({ tried, refused }) => (
          <>
            <KindChoice kind={kind} onChoose={setKind} />
            {kind === 'provider' && (
              <>
                <p className="hint">
                  Create the application there first, with the three addresses above: they stay the same.
                </p>
                <Field
                  label="Well-known URL"
                  example="https://idp.acme.com/.well-known/openid-configuration"
                  inputMode="url"
                  code
                  value={typed.well_known_url}
                  onType={type('well_known_url')}
                  check={checks.well_known_url!}
                  tried={tried}
                  refused={refused('well_known_url')}
                />
                <Field
                  label="Client ID"
                  code
                  value={typed.client_id}
                  onType={type('client_id')}
                  check={checks.client_id!}
                  tried={tried}
                  refused={refused('client_id')}
                />
              </>
            )}
            <SecretField
              hint="Sent once, kept encrypted, never shown again."
              value={typed.client_secret}
              onType={type('client_secret')}
              check={checks.client_secret!}
              tried={tried}
              refused={refused('client_secret')}
            />
          </>
        )}
      </StepForm>
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
