import { useState } from 'react'
import { sendable } from '../../checks/check.js'
import { checkClientId, checkClientSecret } from '../../checks/client.js'
import { Field, SecretField } from '../../controls/field.js'
import { StepForm } from '../../controls/form.js'
import { useCall } from '../../controls/use-request.js'
import { CurlPanel } from '../curl-panel.js'
import { guideOf } from '../providers/providers.js'
import { type StepProps, takeOffer } from './step.js'
import { Path, StepFrame } from './step-frame.js'
import { TestSignIn } from './test-sign-in.js'

/** Stands for the secret wherever it would be shown. */
const MASK = 'YOUR-CLIENT-SECRET'

/** Step 4: client ID and secret. The secret lives in this component alone, and is gone with it. */
export function CredentialsStep(props: StepProps) {
  const { progress, change, service, setup } = props
  const call = useCall()
  const [secret, setSecret] = useState('')
  const guide = guideOf(progress.providerId)
  const id = progress.transaction?.id ?? ''
  const checks = {
    client_id: checkClientId(progress.clientId, guide.clientId),
    client_secret: checkClientSecret(secret, { clientId: progress.clientId, mistaken: guide.mistakenSecret }),
  }
  const clientId = sendable(checks.client_id)
  const clientSecret = sendable(checks.client_secret)
  const request =
    clientId === undefined || clientSecret === undefined
      ? undefined
      : { client_id: clientId, client_secret: clientSecret }
  const send = () => {
    if (request === undefined) return
    call.run(
      () => service.complete(progress.token, id, request),
      (completion) => change({ type: 'completed', completion }),
    )
  }
  const edit = (apply: (text: string) => void) => (text: string) => {
    call.forget()
    apply(text)
  }
  return (
    <StepFrame
      step="credentials"
      lead="Omen tries them at your identity provider at once. If they are refused, nothing changes, and you can try again."
    >
      <p className="where">
        <span>Where they are:</span> <Path steps={guide.credentials.path} />
        {guide.credentials.note !== undefined && <span className="fine">{guide.credentials.note}</span>}
      </p>
      <StepForm
        call={call}
        checks={checks}
        send={send}
        onOffer={(offer) => takeOffer(offer, props)}
        action="Connect"
        pendingAction="Trying them at your identity provider…"
      >
        {({ tried, refused }) => (
          <>
            <Field
              label="Client ID"
              code
              value={progress.clientId}
              onType={edit((text) => change({ type: 'typed', field: 'clientId', text }))}
              check={checks.client_id}
              tried={tried}
              refused={refused('client_id')}
            />
            <SecretField
              hint="Sent once, kept encrypted, never shown again. This page does not keep it when you reload."
              value={secret}
              onType={edit(setSecret)}
              check={checks.client_secret}
              tried={tried}
              refused={refused('client_secret')}
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
                onOffer={(offer) => takeOffer(offer, props)}
              />
            )}
          </>
        )}
      </StepForm>
      <CurlPanel
        call={{
          url: service.address(`v1/api/oauth/${encodeURIComponent(id)}/onboard`),
          token: progress.token,
          body: { client_id: clientId ?? 'YOUR-CLIENT-ID', client_secret: MASK },
        }}
        note={`Put your secret in place of ${MASK}. Inside single quotes, write a quote in it as '\\''.`}
      />
    </StepFrame>
  )
}
