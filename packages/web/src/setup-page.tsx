import { useEffect, useState } from 'react'
import { isWebAddress, type Service } from './api/client.js'
import type { SetupFile } from './api/messages.js'
import { remedyOf } from './api/remedies.js'
import { Expiry } from './controls/expiry.js'
import { Icon } from './controls/icon.js'
import { Mark } from './controls/mark.js'
import { Offline } from './controls/offline.js'
import { StartOver } from './controls/start-over.js'
import { Stepper } from './controls/stepper.js'
import type { Step } from './progress/steps.js'
import { useProgress } from './progress/use-progress.js'
import { ApplicationStep } from './steps/application-step.js'
import { CodeStep } from './steps/code-step.js'
import { CredentialsStep } from './steps/credentials-step.js'
import { DoneStep } from './steps/done-step.js'
import { ProviderStep } from './steps/provider-step.js'
import type { StepProps } from './steps/step.js'

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
