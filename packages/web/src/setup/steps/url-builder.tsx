import type { Check } from '../../checks/check.js'
import { Field, SelectField } from '../../controls/field.js'
import type { RequestState } from '../../controls/use-request.js'
import { typedPlaceholders, wellKnownUrl } from '../progress/progress.js'
import { checkPlaceholder } from '../providers/placeholders.js'
import { guideOf } from '../providers/providers.js'
import type { StepProps } from './step.js'

export interface UrlBuilderProps extends StepProps {
  readonly request: RequestState
  readonly check: Check
  readonly submitted: boolean
  readonly serverError: string | undefined
}

/** The well-known URL: built from the provider's placeholders, or typed or pasted as a whole. */
export function UrlBuilder({ progress, change, request, check, submitted, serverError }: UrlBuilderProps) {
  const guide = guideOf(progress.providerId)
  const typed = typedPlaceholders(progress)
  const typePlaceholder = (name: string) => (text: string) => {
    request.clear()
    change({ type: 'placeholder-typed', name, text })
  }
  return (
    <fieldset key={guide.id}>
      <legend>{guide.id === 'other' ? 'Configuration' : `${guide.name} configuration`}</legend>
      <p className="hint">{guide.wellKnownUrlHint}</p>
      {guide.placeholders.map((placeholder) =>
        placeholder.kind === 'choice' ? (
          <SelectField
            key={placeholder.name}
            label={placeholder.label}
            hint={placeholder.hint}
            options={(placeholder.options ?? []).map((option) => [option.value, option.label])}
            value={typed[placeholder.name] ?? ''}
            onChoose={typePlaceholder(placeholder.name)}
          />
        ) : (
          <Field
            key={placeholder.name}
            label={placeholder.label}
            hint={placeholder.hint}
            example={placeholder.example}
            value={typed[placeholder.name] ?? ''}
            onType={typePlaceholder(placeholder.name)}
            check={checkPlaceholder(placeholder, typed[placeholder.name] ?? '')}
            // An empty placeholder is allowed: the URL may have been pasted.
            submitted={submitted && typed[placeholder.name] !== ''}
          />
        ),
      )}
      <Field
        label="Well-known URL"
        hint={
          guide.template === undefined || guide.placeholders.length === 0
            ? 'The URL of the OpenID Connect configuration.'
            : 'Built from the values above. You can also paste it here.'
        }
        example="https://…/.well-known/openid-configuration"
        inputMode="url"
        code
        value={wellKnownUrl(progress)}
        onType={(text) => {
          request.clear()
          change({ type: 'url-typed', text })
        }}
        check={check}
        submitted={submitted}
        serverError={serverError}
      />
    </fieldset>
  )
}
