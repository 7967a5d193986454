import { type ReactNode, useEffect, useRef } from 'react'
import { STEP_TITLES, STEPS, type Step } from '../progress/steps.js'
import { Icon } from './icon.js'

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
