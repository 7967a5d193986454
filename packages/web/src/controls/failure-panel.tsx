import { type ReactNode, useEffect, useState } from 'react'
import type { FieldError, RequestFailure } from '../api/failure.js'
import { type RemedyAction, remedyOf } from '../api/remedies.js'
import { Icon } from './icon.js'

const LABELS: Readonly<Record<RemedyAction, string>> = {
  retry: 'Try again',
  'enter-code': 'Enter the code again',
  'repeat-connection': 'Repeat step 2',
  finish: 'Show the next steps',
}

export interface FailurePanelProps {
  readonly failure: RequestFailure
  /** Errors of fields that are not on the page. */
  readonly fieldErrors?: readonly FieldError[]
  /** Seconds until the next attempt is allowed. */
  readonly wait?: number
  readonly onAction: (action: RemedyAction) => void
  /** Further actions. */
  readonly children?: ReactNode
}

/** Why a request failed, with a button for what to do next. */
export function FailurePanel({ failure, fieldErrors = [], wait = 0, onAction, children }: FailurePanelProps) {
  const { action } = remedyOf(failure.code)
  return (
    <section className="failure" role="alert" tabIndex={-1}>
      <Icon name="warning" />
      <div>
        <p className="title">{failure.title}</p>
        <p>{failure.detail}</p>
        {fieldErrors.length > 0 && (
          <ul>
            {fieldErrors.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code>: {message}
              </li>
            ))}
          </ul>
        )}
        {failure.requestId !== undefined && (
          <p className="fine">
            Request ID for the operator: <code>{failure.requestId}</code>
          </p>
        )}
        {children}
        {wait > 0 ? (
          // `aria-live` is off: a screen reader would read every second.
          <p className="wait" role="timer" aria-live="off">
            <Icon name="clock" /> You can try again in {wait} s.
          </p>
        ) : (
          action !== undefined && (
            <button type="button" className="secondary" onClick={() => onAction(action)}>
              {LABELS[action]}
            </button>
          )
        )}
      </div>
    </section>
  )
}

/** Shown while the browser reports that it is offline. */
export function OfflineBanner() {
  const [offline, setOffline] = useState(() => !navigator.onLine)
  useEffect(() => {
    const update = () => setOffline(!navigator.onLine)
    addEventListener('online', update)
    addEventListener('offline', update)
    return () => {
      removeEventListener('online', update)
      removeEventListener('offline', update)
    }
  }, [])
  return (
    <div role="status">
      {offline && (
        <p className="banner">
          <Icon name="warning" />
          You are offline. Nothing you entered is lost.
        </p>
      )}
    </div>
  )
}
