import { useEffect, useRef, useState } from 'react'
import { remedyOf } from '../api/remedies.js'
import { isWebAddress } from '../api/request.js'
import { Offline } from '../controls/failure-panel.js'
import { Icon, Mark } from '../controls/icon.js'
import type { Service } from './client.js'
import { Expiry } from './expiry.js'
import type { SetupFile } from './messages.js'
import type { Step } from './progress/progress.js'
import { useProgress } from './progress/use-progress.js'
import { ApplicationStep } from './steps/application-step.js'
import { CodeStep } from './steps/code-step.js'
import { CredentialsStep } from './steps/credentials-step.js'
import { DoneStep } from './steps/done-step.js'
import { ProviderStep } from './steps/provider-step.js'
import type { StepProps } from './steps/step.js'
import { Stepper } from './steps/step-frame.js'

const SHOWN: Readonly<Record<Step, (props: StepProps) => React.JSX.Element>> = {
  code: CodeStep,
  provider: ProviderStep,
  application: ApplicationStep,
  credentials: CredentialsStep,
  done: DoneStep,
}

/** How often the service is asked about itself while it does not answer. */
const PACE = 5000

/** The whole page: where one is, the step itself, until when it works, and the way back to the beginning. */
export function SetupPage({ service, defaults }: { readonly service: Service; readonly defaults: SetupFile }) {
  const [progress, change] = useProgress()
  const setup = useSetup(service) ?? defaults
  const CurrentStep = SHOWN[progress.step]
  return (
    <>
      <header className="top">
        <span className="brand">
          <Mark />
          Omen
        </span>
        <span className="purpose">
          Single sign-on set-up{' '}
          {isWebAddress(setup.base_url) && <a href={`${setup.base_url}/v1/auth/login`}>Sign in</a>}
        </span>
      </header>
      <main>
        {progress.step !== 'done' && (
          <Stepper step={progress.step} held={progress} onGo={(to) => change({ type: 'went', to })} />
        )}
        <Offline />
        {progress.superseded && progress.step !== 'code' && (
          <p className="banner" role="status">
            <Icon name="warning" />
            Another tab has opened a newer set-up with this code, so this one no longer works. Go on there, or repeat
            step 2 here.
          </p>
        )}
        <div className="card">
          <CurrentStep key={progress.step} progress={progress} change={change} service={service} setup={setup} />
        </div>
        {progress.step !== 'done' && progress.token !== '' && (
          <footer className="bottom">
            <Expiry progress={progress} />
            <StartOver onStartOver={() => change({ type: 'started-over', code: '' })} />
          </footer>
        )}
      </main>
    </>
  )
}

/** What the service says of itself. It is asked again until it is known: without it, the test sign-in is not offered. */
function useSetup(service: Service): SetupFile | undefined {
  const [setup, setSetup] = useState<SetupFile>()
  useEffect(() => {
    let isLeft = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      const answer = await service.readSetup()
      if (isLeft) return
      if (answer.ok) setSetup(answer.value)
      else if (remedyOf(answer.failure.code).offer === 'retry') timer = setTimeout(ask, PACE)
    }
    void ask()
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [service])
  return setup
}

/** Forgets everything in this tab, after asking. */
export function StartOver({ onStartOver }: { readonly onStartOver: () => void }) {
  const [asking, setAsking] = useState(false)
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asking) keep.current?.focus()
  }, [asking])
  if (!asking) {
    return (
      <button type="button" className="plain" onClick={() => setAsking(true)}>
        Start over
      </button>
    )
  }
  return (
    <fieldset className="start-over">
      <legend>Forget everything entered here?</legend>
      <button ref={keep} type="button" className="secondary" onClick={() => setAsking(false)}>
        Keep it
      </button>
      <button
        type="button"
        className="secondary"
        onClick={() => {
          setAsking(false)
          onStartOver()
        }}
      >
        Yes, start over
      </button>
    </fieldset>
  )
}
