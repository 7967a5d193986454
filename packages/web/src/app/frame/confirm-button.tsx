import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Result } from '../../api/request.js'
import { RequestButton } from '../../controls/form.js'
import { useRequest } from '../../controls/use-request.js'
import { RequestFailurePanel } from './resource-view.js'

export interface ConfirmButtonProps<T> {
  readonly label: string
  /** The accessible name of the button, where several buttons have the same label. */
  readonly name?: string
  readonly className?: string
  readonly question: string
  /** What confirming does. */
  readonly children: ReactNode
  readonly confirmLabel: string
  readonly send: () => Promise<Result<T>>
  readonly onSuccess: (value: T) => void
}

/** A button for an action that cannot be undone. It opens a dialog that confirms the action and shows why it failed. */
export function ConfirmButton<T>(props: ConfirmButtonProps<T>) {
  const [open, setOpen] = useState(false)
  useEffect(() => focusTitleIfLost, [])
  return (
    <>
      <button
        type="button"
        className={props.className ?? 'secondary'}
        aria-label={props.name}
        onClick={() => setOpen(true)}
      >
        {props.label}
      </button>
      {open && <ConfirmDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

/** A button that disappears with the removed item loses the focus; the title of the page gets it then. */
function focusTitleIfLost() {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}

function ConfirmDialog<T>(props: ConfirmButtonProps<T> & { readonly onClose: () => void }) {
  const { question, children, confirmLabel, send, onSuccess, onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const request = useRequest()
  // The browser closes the dialog and returns the focus to the button.
  useEffect(() => dialog.current?.showModal(), [])
  const run = () =>
    request.run(send, (value) => {
      dialog.current?.close()
      onSuccess(value)
    })
  return (
    <dialog ref={dialog} aria-labelledby={id} aria-busy={request.pending} onClose={onClose}>
      <h2 id={id}>{question}</h2>
      <div className="explanation">{children}</div>
      <RequestFailurePanel request={request} onRetry={run} />
      <div className="actions">
        {/* The first button gets the focus: it must be the harmless one. */}
        <button type="button" className="secondary" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <RequestButton request={request} className="primary grave" onClick={run}>
          {confirmLabel}
        </RequestButton>
      </div>
    </dialog>
  )
}
