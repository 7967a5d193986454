import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../controls/icon.js'
import { reachable, STEP_TITLES, STEPS, type Step } from '../progress/progress.js'

export interface StepFrameProps {
  readonly step: Step
  readonly title?: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

/** Set once the first step is on the page: from then on a new step takes the keyboard to its title. */
let shown = false

/** One step with its title. A new step is announced by moving the keyboard to the title; the first page load moves nothing. */
export function StepFrame({ step, title = STEP_TITLES[step].long, lead, children }: StepFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const number = STEPS.indexOf(step) + 1
  useEffect(() => {
    document.title = `${step === 'done' ? 'Done' : `Step ${number} of 4`}: ${title} · Omen`
  }, [step, number, title])
  useEffect(() => {
    if (shown) heading.current?.focus()
    shown = true
  }, [])
  return (
    <section className="step" aria-labelledby="step-title">
      <header>
        {step === 'done' ? (
          <span className="success">
            <Icon name="tick" />
          </span>
        ) : (
          <p className="count">Step {number} of 4</p>
        )}
        <h1 id="step-title" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className="lead">{lead}</p>
      </header>
      {children}
    </section>
  )
}

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

/** The way to a screen of a console, click by click. */
export function Path({ steps }: { readonly steps: readonly string[] }) {
  return (
    <span className="path">
      {steps.map((step, index) => (
        <span key={`${steps.slice(0, index).join('/')}/${step}`}>
          {index > 0 && (
            <>
              <Icon name="arrow" />
              <span className="off-screen">, then </span>
            </>
          )}
          {step}
        </span>
      ))}
    </span>
  )
}
