import type { Setup } from '@omen/server/api'
import { useEffect, useRef, useState } from 'react'
import { remedyOf } from '../api/remedies.js'
import { isWebUrl } from '../api/request.js'
import { OfflineBanner } from '../controls/failure-panel.js'
import { Icon, Logo } from '../controls/icon.js'
import type { Service } from './client.js'
import { Expiry } from './expiry.js'
import type { Step } from './progress/progress.js'
import { useProgress } from './progress/use-progress.js'
import { ApplicationStep } from './steps/application-step.js'
import { CodeStep } from './steps/code-step.js'
import { CredentialsStep } from './steps/credentials-step.js'
import { DoneStep } from './steps/done-step.js'
import { ProviderStep } from './steps/provider-step.js'
import type { StepProps } from './steps/step.js'
import { Stepper } from './steps/step-frame.js'

const STEP_COMPONENTS: Readonly<Record<Step, (props: StepProps) => React.JSX.Element>> = {
  code: CodeStep,
  provider: ProviderStep,
  application: ApplicationStep,
  credentials: CredentialsStep,
  done: DoneStep,
}

/** The interval between attempts to read the set-up file. */
const RETRY_MS = 5000

/** The set-up page: the list of steps, the current step, when code and set-up expire, and a button to start over. */
export function SetupPage({ service, defaults }: { readonly service: Service; readonly defaults: Setup }) {
  const [progress, change] = useProgress()
  const setup = useSetup(service) ?? defaults
  const CurrentStep = STEP_COMPONENTS[progress.step]
  return (
    <>
      <header className="top">
        <span className="brand">
          <Logo />
          Omen
        </span>
        <span className="purpose">
          Single sign-on set-up {isWebUrl(setup.base_url) && <a href={`${setup.base_url}/v1/auth/login`}>Sign in</a>}
        </span>
      </header>
      <main>
        {progress.step !== 'done' && (
          <Stepper step={progress.step} progress={progress} onGo={(to) => change({ type: 'navigated', to })} />
        )}
        <OfflineBanner />
        {progress.superseded && progress.step !== 'code' && (
          <p className="banner" role="status">
            <Icon name="warning" />
            Another tab started a newer set-up with this code, so this one no longer works. Continue in that tab, or
            repeat step 2 here.
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

/** Reads the set-up file, and retries until that succeeds: without it, the page offers no test sign-in. */
function useSetup(service: Service): Setup | undefined {
  const [setup, setSetup] = useState<Setup>()
  useEffect(() => {
    let stopped = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async () => {
      const result = await service.readSetup()
      if (stopped) return
      if (result.ok) setSetup(result.value)
      else if (remedyOf(result.failure.code).action === 'retry') timer = setTimeout(read, RETRY_MS)
    }
    void read()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [service])
  return setup
}

/** Discards everything in this tab, after a confirmation. */
export function StartOver({ onStartOver }: { readonly onStartOver: () => void }) {
  const [confirming, setConfirming] = useState(false)
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (confirming) cancel.current?.focus()
  }, [confirming])
  if (!confirming) {
    return (
      <button type="button" className="plain" onClick={() => setConfirming(true)}>
        Start over
      </button>
    )
  }
  return (
    <fieldset className="start-over">
      <legend>Discard everything you entered?</legend>
      <button ref={cancel} type="button" className="secondary" onClick={() => setConfirming(false)}>
        Cancel
      </button>
      <button
        type="button"
        className="secondary"
        onClick={() => {
          setConfirming(false)
          onStartOver()
        }}
      >
        Start over
      </button>
    </fieldset>
  )
}
