import { useId } from 'react'
import type { Check } from '../../checks/check.js'
import { Field } from '../../controls/field.js'
import type { Call } from '../../controls/use-request.js'
import { typedBlanks, wellKnownUrl } from '../progress/progress.js'
import type { Blank } from '../providers/guide.js'
import { checkBlank } from '../providers/placeholders.js'
import { guideOf } from '../providers/providers.js'
import type { StepProps } from './step.js'

export interface UrlBuilderProps extends StepProps {
  readonly call: Call
  readonly check: Check
  readonly tried: boolean
  readonly refused: string | undefined
}

/** Helps to find the well-known URL: what has to be filled in builds it, and it can be typed or pasted just as well. */
export function UrlBuilder({ progress, change, call, check, tried, refused }: UrlBuilderProps) {
  const guide = guideOf(progress.providerId)
  const typed = typedBlanks(progress)
  const typeBlank = (name: string) => (text: string) => {
    call.forget()
    change({ type: 'blank-typed', name, text })
  }
  return (
    <fieldset key={guide.id}>
      <legend>{guide.id === 'other' ? 'Its configuration' : `Configuration of ${guide.name}`}</legend>
      <p className="hint">{guide.finding}</p>
      {guide.blanks.map((blank) =>
        blank.kind === 'choice' ? (
          <ChoiceField
            key={blank.name}
            blank={blank}
            value={typed[blank.name] ?? ''}
            onChoose={typeBlank(blank.name)}
          />
        ) : (
          <Field
            key={blank.name}
            label={blank.label}
            hint={blank.hint}
            example={blank.example}
            value={typed[blank.name] ?? ''}
            onType={typeBlank(blank.name)}
            check={checkBlank(blank, typed[blank.name] ?? '')}
            // An empty blank is no mistake: the URL may have been pasted.
            tried={tried && typed[blank.name] !== ''}
          />
        ),
      )}
      <Field
        label="Well-known URL"
        hint={
          guide.template === undefined || guide.blanks.length === 0
            ? 'The address of the OpenID Connect configuration.'
            : 'Built from what you enter above. You can also paste it here.'
        }
        example="https://…/.well-known/openid-configuration"
        inputMode="url"
        code
        value={wellKnownUrl(progress)}
        onType={(text) => {
          call.forget()
          change({ type: 'url-typed', text })
        }}
        check={check}
        tried={tried}
        refused={refused}
      />
    </fieldset>
  )
}

interface ChoiceFieldProps {
  readonly blank: Blank
  readonly value: string
  readonly onChoose: (value: string) => void
}

function ChoiceField({ blank, value, onChoose }: ChoiceFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{blank.label}</label>
      <p className="hint" id={`${id}-hint`}>
        {blank.hint}
      </p>
      <div className="input">
        <select
          id={id}
          value={value}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChoose(event.target.value)}
        >
          {blank.options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
