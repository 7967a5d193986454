import { reachable, STEP_TITLES, STEPS, type Step } from '../progress/steps.js'
import { Icon } from './icon.js'

/** The four steps. `done` is not one of them. */
const SHOWN = STEPS.filter((step) => step !== 'done')

export interface StepperProps {
  readonly step: Step
  readonly held: Parameters<typeof reachable>[1]
  readonly onGo: (step: Step) => void
}

/** Where in the four steps the administrator is; steps behind are the way back to them. */
export function Stepper({ step, held, onGo }: StepperProps) {
  const current = STEPS.indexOf(step)
  return (
    <nav aria-label="Steps" className="stepper">
      <ol>
        {SHOWN.map((name, index) => {
          const state = index < current ? 'behind' : index === current ? 'current' : 'ahead'
          const open = index !== current && reachable(name, held) === name
          const words = (
            <>
              <span className="number" aria-hidden="true">
                {state === 'behind' ? <Icon name="tick" /> : index + 1}
              </span>
              <span className="name">{STEP_TITLES[name].short}</span>
              {state === 'behind' && <span className="off-screen">, done</span>}
            </>
          )
          return (
            <li key={name} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
              {open ? (
                <button type="button" onClick={() => onGo(name)}>
                  {words}
                </button>
              ) : (
                <span className="place">{words}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
