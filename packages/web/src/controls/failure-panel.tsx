import { type ReactNode, useEffect, useState } from 'react'
import type { Failure, FieldError } from '../api/failure.js'
import { type Offer, remedyOf } from '../api/remedies.js'
import { Icon } from './icon.js'

const OFFERS: Readonly<Record<Offer, string>> = {
  retry: 'Try again',
  'enter-code': 'Enter the code again',
  'repeat-connection': 'Repeat step 2',
  finish: 'See what to do next',
}

export interface FailurePanelProps {
  readonly failure: Failure
  readonly elsewhere?: readonly FieldError[]
  readonly wait?: number
  readonly onOffer: (offer: Offer) => void
  /** Other ways out. */
  readonly children?: ReactNode
}

/** What went wrong, in the words of the service, with the way out beside it. */
export function FailurePanel({ failure, elsewhere = [], wait = 0, onOffer, children }: FailurePanelProps) {
  const { offer } = remedyOf(failure.code)
  return (
    <section className="failure" role="alert" tabIndex={-1}>
      <Icon name="warning" />
      <div>
        <p className="title">{failure.title}</p>
        <p>{failure.detail}</p>
        {elsewhere.length > 0 && (
          <ul>
            {elsewhere.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code>: {message}
              </li>
            ))}
          </ul>
        )}
        {failure.requestId !== undefined && (
          <p className="fine">
            For the operator: request <code>{failure.requestId}</code>
          </p>
        )}
        {children}
        {wait > 0 ? (
          // Not read out every second: the words above say it once.
          <p className="wait" role="timer" aria-live="off">
            <Icon name="clock" /> You can try again in {wait} s.
          </p>
        ) : (
          offer !== undefined && (
            <button type="button" className="secondary" onClick={() => onOffer(offer)}>
              {OFFERS[offer]}
            </button>
          )
        )}
      </div>
    </section>
  )
}

/** Says so while the browser knows that there is no network. */
export function Offline() {
  const [offline, setOffline] = useState(() => !navigator.onLine)
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return (
    <div role="status">
      {offline && (
        <p className="banner">
          <Icon name="warning" />
          You are offline. Nothing that you entered is lost.
        </p>
      )}
    </div>
  )
}
