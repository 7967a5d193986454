import { sendable } from '../../checks/check.js'
import { Field } from '../../controls/field.js'
import { StepForm } from '../../controls/form.js'
import { useCall } from '../../controls/use-request.js'
import { checkCode } from '../checks.js'
import { CurlPanel } from '../curl-panel.js'
import { type StepProps, takeOffer } from './step.js'
import { StepFrame } from './step-frame.js'

/** Step 1: the code for a token. */
export function CodeStep(props: StepProps) {
  const { progress, change, service } = props
  const call = useCall()
  const check = checkCode(progress.code)
  const code = sendable(check)
  const send = () => {
    if (code === undefined) return
    call.run(
      () => service.exchangeCode(code),
      ({ token }) => change({ type: 'code-exchanged', code, token }),
    )
  }
  return (
    <StepFrame
      step="code"
      lead="In four steps, people of your organization sign in to Omen with your own identity provider. It takes about ten minutes, and you need to be an administrator there."
    >
      <StepForm
        call={call}
        checks={{ code: check }}
        send={send}
        onOffer={(offer) => takeOffer(offer, props)}
        action="Continue"
        pendingAction="Checking the code…"
      >
        {({ tried, refused }) => (
          <Field
            label="Onboarding code"
            hint="The operator of Omen sent it to you. Upper or lower case, with or without the hyphen."
            example="K7QF2M-9XTR4B"
            capitals
            code
            value={progress.code}
            onType={(text) => {
              call.forget()
              change({ type: 'typed', field: 'code', text })
            }}
            check={check}
            tried={tried}
            refused={refused('code')}
          />
        )}
      </StepForm>
      <CurlPanel
        call={{ url: `${service.address('v1/auth/validate')}?code=${encodeURIComponent(code ?? 'YOUR-CODE')}` }}
        note="The answer holds the token for the next steps."
      />
    </StepFrame>
  )
}
