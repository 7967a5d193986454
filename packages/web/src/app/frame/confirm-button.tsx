import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Answer } from '../../api/request.js'
import { useCall } from '../../controls/use-request.js'
import { Trouble } from './resource-view.js'

export interface AskFirstProps<T> {
  /** The words of the button that asks. */
  readonly label: string
  /** The same for those who hear the page, where several buttons have the same words. */
  readonly name?: string
  readonly className?: string
  readonly question: string
  /** What happens on a yes. */
  readonly children: ReactNode
  readonly yes: string
  readonly make: () => Promise<Answer<T>>
  readonly done: (value: T) => void
}

/** A button for what cannot be undone: it asks, and shows in its question why it could not be done. */
export function AskFirst<T>(props: AskFirstProps<T>) {
  const [asking, setAsking] = useState(false)
  useEffect(() => keepKeyboard, [])
  return (
    <>
      <button
        type="button"
        className={props.className ?? 'secondary'}
        aria-label={props.name}
        onClick={() => setAsking(true)}
      >
        {props.label}
      </button>
      {asking && <Question {...props} onClose={() => setAsking(false)} />}
    </>
  )
}

/** A button that goes away with what was removed would leave the keyboard nowhere: the title of the page has it then. */
function keepKeyboard() {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}

function Question<T>(props: AskFirstProps<T> & { readonly onClose: () => void }) {
  const { question, children, yes, make, done, onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const call = useCall()
  // Closing it is left to the browser, which gives the keyboard back to the button.
  useEffect(() => dialog.current?.showModal(), [])
  const run = () =>
    call.run(make, (value) => {
      dialog.current?.close()
      done(value)
    })
  return (
    <dialog ref={dialog} aria-labelledby={id} aria-busy={call.pending} onClose={onClose}>
      <h2 id={id}>{question}</h2>
      <div className="words">{children}</div>
      {call.failure !== undefined && <Trouble failure={call.failure} wait={call.wait} onRetry={run} />}
      <div className="actions">
        {/* The harmless one comes first, and so has the keyboard. */}
        <button type="button" className="secondary" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" className="primary grave" aria-disabled={call.pending || call.wait > 0} onClick={run}>
          {call.pending && <span className="spinner" aria-hidden="true" />}
          {yes}
        </button>
      </div>
    </dialog>
  )
}
