import { sendable } from '../../checks/check.js'
import { checkDomain } from '../../checks/domain.js'
import { checkWellKnownUrl } from '../../checks/well-known-url.js'
import { Field } from '../../controls/field.js'
import { StepForm } from '../../controls/form.js'
import { type Call, useCall } from '../../controls/use-request.js'
import { checkOrganizationName } from '../checks.js'
import { CurlPanel } from '../curl-panel.js'
import { wellKnownUrl } from '../progress/progress.js'
import type { ProviderId } from '../providers/guide.js'
import { guideOf, PROVIDERS } from '../providers/providers.js'
import { type StepProps, takeOffer } from './step.js'
import { StepFrame } from './step-frame.js'
import { UrlBuilder } from './url-builder.js'

/** Step 2: which identity provider, for which domain; the service reads its configuration and opens a transaction. */
export function ProviderStep(props: StepProps) {
  const { progress, change, service } = props
  const call = useCall()
  const checks = {
    well_known_url: checkWellKnownUrl(wellKnownUrl(progress)),
    domain: checkDomain(progress.domain),
    org_name: checkOrganizationName(progress.orgName),
  }
  const request = {
    well_known_url: sendable(checks.well_known_url) ?? '',
    domain: sendable(checks.domain) ?? '',
    org_name: sendable(checks.org_name) ?? '',
  }
  const send = () =>
    call.run(
      () => service.openTransaction(progress.token, request),
      (opened) => change({ type: 'transaction-opened', opened, now: Date.now() }),
    )
  return (
    <StepFrame
      step="provider"
      lead="Omen reads what your identity provider publishes about itself and checks that it can be used. Nothing changes for anybody yet."
    >
      <ProviderChoice
        chosen={progress.providerId}
        onChoose={(id) => {
          call.forget()
          change({ type: 'provider-chosen', id })
        }}
      />
      {progress.providerId !== '' && (
        <>
          <StepForm
            // Another provider is another form: what was missing in the last one is no reproach to this one.
            key={progress.providerId}
            call={call}
            checks={checks}
            send={send}
            onOffer={(offer) => takeOffer(offer, props)}
            action="Check and continue"
            pendingAction="Reading your identity provider’s configuration…"
          >
            {({ tried, refused }) => (
              <>
                <UrlBuilder
                  {...props}
                  call={call}
                  check={checks.well_known_url}
                  tried={tried}
                  refused={refused('well_known_url')}
                />
                <OrganizationFields {...props} call={call} checks={checks} tried={tried} refused={refused} />
              </>
            )}
          </StepForm>
          <CurlPanel
            call={{ url: service.address('v1/api/oauth'), token: progress.token, body: request }}
            note="The token in it works like a password until your code expires. The answer holds the sign-in URI and the transaction."
          />
        </>
      )}
    </StepFrame>
  )
}

interface OrganizationFieldsProps extends StepProps {
  readonly call: Call
  readonly checks: Readonly<Record<'domain' | 'org_name', ReturnType<typeof checkDomain>>>
  readonly tried: boolean
  readonly refused: (field: 'domain' | 'org_name') => string | undefined
}

function OrganizationFields({ progress, change, call, checks, tried, refused }: OrganizationFieldsProps) {
  const type = (field: 'domain' | 'orgName') => (text: string) => {
    call.forget()
    change({ type: 'typed', field, text })
  }
  return (
    <fieldset>
      <legend>Your organization</legend>
      <Field
        label="E-mail domain"
        hint={`What stands after the @ in your people’s addresses. Whoever signs in through ${guideOf(progress.providerId).name === 'Another one' ? 'your provider' : guideOf(progress.providerId).name} needs such an address.`}
        example="acme.com"
        inputMode="url"
        value={progress.domain}
        onType={type('domain')}
        check={checks.domain}
        tried={tried}
        refused={refused('domain')}
      />
      <Field
        label="Name of the organization"
        hint="As your people know it. They see it when they sign in."
        example="Acme"
        autoComplete="organization"
        value={progress.orgName}
        onType={type('orgName')}
        check={checks.org_name}
        tried={tried}
        refused={refused('org_name')}
      />
    </fieldset>
  )
}

export interface ProviderChoiceProps {
  readonly chosen: ProviderId | ''
  readonly onChoose: (id: ProviderId) => void
}

/** The identity providers that the page has instructions for, as cards of which one is chosen. */
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
