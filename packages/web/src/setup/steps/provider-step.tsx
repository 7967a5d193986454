import { sendable } from '../../checks/check.js'
import { checkDomain } from '../../checks/domain.js'
import { checkWellKnownUrl } from '../../checks/well-known-url.js'
import { Field } from '../../controls/field.js'
import { RequestForm } from '../../controls/form.js'
import { type RequestState, useRequest } from '../../controls/use-request.js'
import { checkOrganizationName } from '../checks.js'
import { CurlPanel } from '../curl-panel.js'
import { wellKnownUrl } from '../progress/progress.js'
import type { ProviderId } from '../providers/guide.js'
import { PROVIDERS } from '../providers/providers.js'
import { applyRemedy, type StepProps } from './step.js'
import { StepFrame } from './step-frame.js'
import { UrlBuilder } from './url-builder.js'

/** Step 2: the identity provider and the domain. The service reads the provider's configuration and opens a transaction. */
export function ProviderStep(props: StepProps) {
  const { progress, change, service } = props
  const request = useRequest()
  const checks = {
    well_known_url: checkWellKnownUrl(wellKnownUrl(progress)),
    domain: checkDomain(progress.domain),
    org_name: checkOrganizationName(progress.orgName),
  }
  const body = {
    well_known_url: sendable(checks.well_known_url) ?? '',
    domain: sendable(checks.domain) ?? '',
    org_name: sendable(checks.org_name) ?? '',
  }
  const send = () =>
    request.run(
      () => service.openTransaction(progress.token, body),
      (opened) => change({ type: 'transaction-opened', opened }),
    )
  return (
    <StepFrame
      step="provider"
      lead="Omen reads the public configuration of your identity provider and checks it. Nothing changes for your users yet."
    >
      <ProviderChoice
        chosen={progress.providerId}
        onChoose={(id) => {
          request.clear()
          change({ type: 'provider-chosen', id })
        }}
      />
      {progress.providerId !== '' && (
        <>
          <RequestForm
            // Another provider gets a new form, without the messages about fields of the previous one.
            key={progress.providerId}
            request={request}
            checks={checks}
            send={send}
            onAction={(action) => applyRemedy(action, props)}
            submitLabel="Check and continue"
            pendingLabel="Reading your identity provider’s configuration…"
          >
            {({ submitted, serverError }) => (
              <>
                <UrlBuilder
                  {...props}
                  request={request}
                  check={checks.well_known_url}
                  submitted={submitted}
                  serverError={serverError('well_known_url')}
                />
                <OrganizationFields
                  {...props}
                  request={request}
                  checks={checks}
                  submitted={submitted}
                  serverError={serverError}
                />
              </>
            )}
          </RequestForm>
          <CurlPanel
            request={{ url: service.url('v1/api/oauth'), token: progress.token, body }}
            note="Treat the token like a password until your code expires. The response contains the sign-in URI and the transaction ID."
          />
        </>
      )}
    </StepFrame>
  )
}

interface OrganizationFieldsProps extends StepProps {
  readonly request: RequestState
  readonly checks: Readonly<Record<'domain' | 'org_name', ReturnType<typeof checkDomain>>>
  readonly submitted: boolean
  readonly serverError: (field: 'domain' | 'org_name') => string | undefined
}

function OrganizationFields({ progress, change, request, checks, submitted, serverError }: OrganizationFieldsProps) {
  const type = (field: 'domain' | 'orgName') => (text: string) => {
    request.clear()
    change({ type: 'typed', field, text })
  }
  return (
    <fieldset>
      <legend>Your organization</legend>
      <Field
        label="E-mail domain"
        hint="The part after the @ in your users’ e-mail addresses. Only users with such an address can sign in."
        example="acme.com"
        inputMode="url"
        value={progress.domain}
        onType={type('domain')}
        check={checks.domain}
        submitted={submitted}
        serverError={serverError('domain')}
      />
      <Field
        label="Organization name"
        hint="Your users see it when they sign in."
        example="Acme"
        autoComplete="organization"
        value={progress.orgName}
        onType={type('orgName')}
        check={checks.org_name}
        submitted={submitted}
        serverError={serverError('org_name')}
      />
    </fieldset>
  )
}

export interface ProviderChoiceProps {
  readonly chosen: ProviderId | ''
  readonly onChoose: (id: ProviderId) => void
}

/** The identity providers that the page has instructions for, as radio buttons. */
export function ProviderChoice({ chosen, onChoose }: ProviderChoiceProps) {
  return (
    <fieldset className="choice">
      <legend>Your identity provider</legend>
      <div className="cards">
        {PROVIDERS.map(({ id, name }) => (
          <label key={id}>
            <input type="radio" name="provider" value={id} checked={id === chosen} onChange={() => onChoose(id)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
