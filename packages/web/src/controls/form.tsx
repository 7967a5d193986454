import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Failure } from '../api/failure.js'
import { type FieldName, type Offer, placeFailure } from '../api/remedies.js'
import { type Check, sendable } from '../checks/check.js'
import { FailurePanel } from './failure-panel.js'
import type { Call } from './use-request.js'

export interface StepFormProps {
  readonly call: Call
  readonly checks: Readonly<Partial<Record<FieldName, Check>>>
  readonly send: () => void
  readonly onOffer: (offer: Offer) => void
  readonly action: string
  readonly pendingAction: string
  /** What is inside the form, given what to say at its fields. */
  readonly children: (state: {
    readonly tried: boolean
    readonly refused: (field: FieldName) => string | undefined
  }) => ReactNode
  readonly beside?: ReactNode
}

/** A form that sends itself only when every field can be sent, and that says at the right place why it could not. */
export function StepForm({ call, checks, send, onOffer, action, pendingAction, children, beside }: StepFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [tried, setTried] = useState(0)
  const { pending, failure, wait } = call
  const fields = Object.keys(checks) as FieldName[]
  const placed = failure === undefined ? undefined : placeFailure(failure, fields)
  useFocusOnTrouble(form, tried, failure)

  const submit = () => {
    if (pending || wait > 0) return
    if (Object.values(checks).every((check) => sendable(check) !== undefined)) send()
    else setTried((times) => times + 1)
  }
  return (
    <form
      ref={form}
      noValidate
      aria-busy={pending}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {failure !== undefined && placed?.above === true && (
        <FailurePanel
          failure={failure}
          elsewhere={placed.elsewhere}
          wait={wait}
          onOffer={(offer) => (offer === 'retry' ? submit() : onOffer(offer))}
        />
      )}
      {children({ tried: tried > 0, refused: (field) => placed?.atField[field] })}
      <div className="actions">
        <button type="submit" className="primary" aria-disabled={pending || wait > 0}>
          {pending && <span className="spinner" aria-hidden="true" />}
          {pending ? pendingAction : wait > 0 ? `Wait ${wait} s` : action}
        </button>
        {beside}
      </div>
      <p role="status" className="off-screen">
        {pending ? pendingAction : ''}
      </p>
    </form>
  )
}

/** Takes the keyboard to what needs attention: the first field that is wrong, or else the words above the form. */
function useFocusOnTrouble(form: React.RefObject<HTMLFormElement | null>, tried: number, failure: Failure | undefined) {
  const trouble = failure ?? tried
  useEffect(() => {
    if (trouble === 0) return
    const target = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .failure')
    target?.focus()
  }, [form, trouble])
}
