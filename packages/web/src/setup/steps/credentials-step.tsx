import { useState } from 'react'
import { sendable } from '../../checks/check.js'
import { checkClientId, checkClientSecret } from '../../checks/client.js'
import { Field, SecretField } from '../../controls/field.js'
import { RequestForm } from '../../controls/form.js'
import { useRequest } from '../../controls/use-request.js'
import { CurlPanel } from '../curl-panel.js'
import { guideOf } from '../providers/providers.js'
import { applyRemedy, type StepProps } from './step.js'
import { Path, StepFrame } from './step-frame.js'
import { TestSignIn } from './test-sign-in.js'

/** Shown in place of the secret. */
const MASK = 'YOUR-CLIENT-SECRET'

/** Step 4: client ID and secret. The secret is kept in the state of this component only. */
export function CredentialsStep(props: StepProps) {
  const { progress, change, service, setup } = props
  const request = useRequest()
  const [secret, setSecret] = useState('')
  const guide = guideOf(progress.providerId)
  const id = progress.transaction?.id ?? ''
  const checks = {
    client_id: checkClientId(progress.clientId, guide.clientId),
    client_secret: checkClientSecret(secret, { clientId: progress.clientId, wrong: guide.wrongSecret }),
  }
  const clientId = sendable(checks.client_id)
  const clientSecret = sendable(checks.client_secret)
  const body =
    clientId === undefined || clientSecret === undefined
      ? undefined
      : { client_id: clientId, client_secret: clientSecret }
  const send = () => {
    if (body === undefined) return
    request.run(
      () => service.complete(progress.token, id, body),
      (completion) => change({ type: 'completed', completion }),
    )
  }
  const edit = (apply: (text: string) => void) => (text: string) => {
    request.clear()
    apply(text)
  }
  return (
    <StepFrame
      step="credentials"
      lead="Omen checks both at your identity provider immediately. If they are rejected, nothing changes and you can try again."
    >
      <p className="where">
        <span>Where to find them:</span> <Path steps={guide.credentials.path} />
        {guide.credentials.note !== undefined && <span className="fine">{guide.credentials.note}</span>}
      </p>
      <RequestForm
        request={request}
        checks={checks}
        send={send}
        onAction={(action) => applyRemedy(action, props)}
        submitLabel="Connect"
        pendingLabel="Checking with your identity provider…"
      >
        {({ submitted, serverError }) => (
          <>
            <Field
              label="Client ID"
              code
              value={progress.clientId}
              onType={edit((text) => change({ type: 'typed', field: 'clientId', text }))}
              check={checks.client_id}
              submitted={submitted}
              serverError={serverError('client_id')}
            />
            <SecretField
              hint="Stored encrypted and never shown again. Enter it again if you reload this page."
              value={secret}
              onType={edit(setSecret)}
              check={checks.client_secret}
              submitted={submitted}
              serverError={serverError('client_secret')}
            />
            {setup.test_sign_in && (
              <TestSignIn
                token={progress.token}
                transactionId={id}
                clientId={clientId}
                clientSecret={clientSecret}
                service={service}
                testedClientId={progress.testedClientId}
                onTested={(tested) => change({ type: 'tested', clientId: tested })}
                onAction={(action) => applyRemedy(action, props)}
              />
            )}
          </>
        )}
      </RequestForm>
      <CurlPanel
        request={{
          url: service.url(`v1/api/oauth/${encodeURIComponent(id)}/onboard`),
          token: progress.token,
          body: { client_id: clientId ?? 'YOUR-CLIENT-ID', client_secret: MASK },
        }}
        note={`Replace ${MASK} with your secret. If it contains a single quote, write the quote as '\\''.`}
      />
    </StepFrame>
  )
}
