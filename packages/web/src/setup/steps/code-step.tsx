import { sendable } from '../../checks/check.js'
import { Field } from '../../controls/field.js'
import { RequestForm } from '../../controls/form.js'
import { useRequest } from '../../controls/use-request.js'
import { checkCode } from '../checks.js'
import { CurlPanel } from '../curl-panel.js'
import { applyRemedy, type StepProps } from './step.js'
import { StepFrame } from './step-frame.js'

/** Step 1: exchanges the code for a token. */
export function CodeStep(props: StepProps) {
  const { progress, change, service } = props
  const request = useRequest()
  const check = checkCode(progress.code)
  const code = sendable(check)
  const send = () => {
    if (code === undefined) return
    request.run(
      () => service.exchangeCode(code),
      ({ token }) => change({ type: 'code-exchanged', code, token }),
    )
  }
  return (
    <StepFrame
      step="code"
      lead="Four steps let everyone in your organization sign in to Omen with your own identity provider. This takes about ten minutes. You need administrator access to your identity provider."
    >
      <RequestForm
        request={request}
        checks={{ code: check }}
        send={send}
        onAction={(action) => applyRemedy(action, props)}
        submitLabel="Continue"
        pendingLabel="Checking the code…"
      >
        {({ submitted, serverError }) => (
          <Field
            label="Onboarding code"
            hint="You received it from the operator of Omen. Case and hyphen do not matter."
            example="K7QF2M-9XTR4B"
            capitals
            code
            value={progress.code}
            onType={(text) => {
              request.clear()
              change({ type: 'typed', field: 'code', text })
            }}
            check={check}
            submitted={submitted}
            serverError={serverError('code')}
          />
        )}
      </RequestForm>
      <CurlPanel
        request={{ url: `${service.url('v1/auth/validate')}?code=${encodeURIComponent(code ?? 'YOUR-CODE')}` }}
        note="The response contains the token for the next steps."
      />
    </StepFrame>
  )
}
