import { CopyValue } from '../../controls/copy.js'
import { Icon } from '../../controls/icon.js'
import { loginUri } from '../progress/progress.js'
import type { ProviderGuide, Screen, Setting } from '../providers/guide.js'
import { guideOf } from '../providers/providers.js'
import type { StepProps } from './step.js'
import { Path, StepFrame } from './step-frame.js'

type Copied = Extract<Setting['value'], { readonly copy: string }>['copy']

/** Step 3: a checklist of what to enter on each screen of the identity provider's console. */
export function ApplicationStep({ progress, change, setup }: StepProps) {
  const guide = guideOf(progress.providerId)
  const signInUri = progress.transaction?.signInUri ?? ''
  const values: Readonly<Record<Copied, string>> = {
    'sign-in-uri': signInUri,
    'login-uri': loginUri(signInUri, setup.base_url),
    'app-name': 'Omen',
    'client-name': 'omen',
  }
  const settings = guide.screens.flatMap((screen, index) => screen.settings.map(({ label }) => `${index} ${label}`))
  const done = settings.filter((setting) => progress.ticked.includes(setting)).length
  return (
    <StepFrame step="application" lead={<Lead guide={guide} />}>
      <p className="progress-note" role="status">
        {done} of {settings.length} settings done
      </p>
      <ol className="screens">
        {guide.screens.map((screen, index) => (
          <li key={screen.path.join(' ')}>
            <ScreenSettings
              screen={screen}
              values={values}
              isDone={(label) => progress.ticked.includes(`${index} ${label}`)}
              onTick={(label, ticked) => change({ type: 'ticked', setting: `${index} ${label}`, done: ticked })}
            />
          </li>
        ))}
      </ol>
      <div className="actions">
        <button type="button" className="primary" onClick={() => change({ type: 'navigated', to: 'credentials' })}>
          Continue
        </button>
      </div>
    </StepFrame>
  )
}

function Lead({ guide }: { readonly guide: ProviderGuide }) {
  const { name, url } = guide.console
  return (
    <>
      In the{' '}
      {url === undefined ? (
        name
      ) : (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {name}
          <Icon name="open" />
          <span className="off-screen"> (opens in a new tab)</span>
        </a>
      )}
      , create an OpenID Connect web application with exactly these settings. Leave all other settings unchanged.
    </>
  )
}

interface ScreenSettingsProps {
  readonly screen: Screen
  readonly values: Readonly<Record<Copied, string>>
  readonly isDone: (label: string) => boolean
  readonly onTick: (label: string, done: boolean) => void
}

function ScreenSettings({ screen, values, isDone, onTick }: ScreenSettingsProps) {
  return (
    <section>
      <h2>
        <Path steps={screen.path} />
      </h2>
      <ul className="settings">
        {screen.settings.map(({ label, value, note }) => (
          <li key={label} data-done={isDone(label)}>
            <label className="tick">
              <input
                type="checkbox"
                checked={isDone(label)}
                onChange={(event) => onTick(label, event.target.checked)}
              />
              <span>{label}</span>
            </label>
            <div className="value">
              {'copy' in value ? (
                <CopyValue value={values[value.copy]} what={label} />
              ) : (
                <ul className="options">
                  {value.choose.map((option) => (
                    <li key={option}>{option}</li>
                  ))}
                </ul>
              )}
              {note !== undefined && <p className="fine">{note}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
