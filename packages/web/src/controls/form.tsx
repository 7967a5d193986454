import { type ButtonHTMLAttributes, type ReactNode, useEffect, useRef, useState } from 'react'
import type { RequestFailure } from '../api/failure.js'
import { type FieldName, placeFailure, type RemedyAction } from '../api/remedies.js'
import { type Check, sendable } from '../checks/check.js'
import { FailurePanel } from './failure-panel.js'
import type { RequestState } from './use-request.js'

export interface RequestFormProps {
  readonly request: RequestState
  readonly checks: Readonly<Partial<Record<FieldName, Check>>>
  readonly send: () => void
  readonly onAction: (action: RemedyAction) => void
  readonly submitLabel: string
  readonly pendingLabel: string
  /** The fields, given what their messages depend on. */
  readonly children: (state: {
    readonly submitted: boolean
    readonly serverError: (field: FieldName) => string | undefined
  }) => ReactNode
}

/** A form that sends its request once every field can be submitted, and shows a failure at the field that it is about. */
export function RequestForm(props: RequestFormProps) {
  const { request, checks, send, onAction, submitLabel, pendingLabel, children } = props
  const form = useRef<HTMLFormElement>(null)
  const [attempts, setAttempts] = useState(0)
  const { pending, failure, wait } = request
  const fields = Object.keys(checks) as FieldName[]
  const placed = failure === undefined ? undefined : placeFailure(failure, fields)
  useFocusOnFailure(form, attempts, failure)

  const submit = () => {
    if (pending || wait > 0) return
    if (Object.values(checks).every((check) => sendable(check) !== undefined)) send()
    else setAttempts((times) => times + 1)
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
          fieldErrors={placed.elsewhere}
          wait={wait}
          onAction={(action) => (action === 'retry' ? submit() : onAction(action))}
        />
      )}
      {children({ submitted: attempts > 0, serverError: (field) => placed?.atField[field] })}
      <div className="actions">
        <RequestButton request={request} type="submit" className="primary">
          {pending ? pendingLabel : wait > 0 ? `Wait ${wait} s` : submitLabel}
        </RequestButton>
      </div>
      <p role="status" className="off-screen">
        {pending ? pendingLabel : ''}
      </p>
    </form>
  )
}

export interface RequestButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly request: Pick<RequestState, 'pending' | 'wait'>
}

/** A button that sends a request. It stays focusable while it is disabled, so that the focus is not lost. */
export function RequestButton({ request, children, ...rest }: RequestButtonProps) {
  return (
    <button type="button" {...rest} aria-disabled={request.pending || request.wait > 0}>
      {request.pending && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

/** Moves the focus to the first invalid field, or else to the failure above the form. */
function useFocusOnFailure(
  form: React.RefObject<HTMLFormElement | null>,
  attempts: number,
  failure: RequestFailure | undefined,
) {
  const cause = failure ?? attempts
  useEffect(() => {
    if (cause === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .failure')?.focus()
  }, [form, cause])
}
