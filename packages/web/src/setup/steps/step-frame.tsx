import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../controls/icon.js'
import { reachableStep, STEP_TITLES, STEPS, type Step } from '../progress/progress.js'

export interface StepFrameProps {
  readonly step: Step
  readonly title?: string
  readonly lead: ReactNode
  readonly children: ReactNode
}

/** Set once the first step is rendered: only later steps move the focus. */
let shown = false

/** One step with its heading. A new step moves the focus to the heading, so that screen readers announce it. */
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

const NUMBERED_STEPS = STEPS.filter((step) => step !== 'done')

export interface StepperProps {
  readonly step: Step
  readonly progress: Parameters<typeof reachableStep>[1]
  readonly onGo: (step: Step) => void
}

/** The list of steps, with buttons to the reachable ones. */
export function Stepper({ step, progress, onGo }: StepperProps) {
  const current = STEPS.indexOf(step)
  return (
    <nav aria-label="Steps" className="stepper">
      <ol>
        {NUMBERED_STEPS.map((name, index) => {
          const state = index < current ? 'done' : index === current ? 'current' : 'ahead'
          const open = index !== current && reachableStep(name, progress) === name
          const label = (
            <>
              <span className="number" aria-hidden="true">
                {state === 'done' ? <Icon name="tick" /> : index + 1}
              </span>
              <span className="name">{STEP_TITLES[name].short}</span>
              {state === 'done' && <span className="off-screen">, done</span>}
            </>
          )
          return (
            <li key={name} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
              {open ? (
                <button type="button" onClick={() => onGo(name)}>
                  {label}
                </button>
              ) : (
                <span className="unreachable">{label}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** The menu path to a screen of a console. */
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
