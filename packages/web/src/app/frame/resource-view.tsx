import { type ReactNode, useEffect } from 'react'
import type { Failure } from '../../api/failure.js'
import { FailurePanel } from '../../controls/failure-panel.js'
import { useAddress } from '../navigation.js'
import { goSignIn, signInAddress } from '../sign-in.js'
import type { Remote } from '../use-resource.js'

export interface ShownProps<T> {
  readonly remote: Remote<T>
  /** What is being read, for those who hear the page. */
  readonly what: string
  readonly children: (value: T) => ReactNode
}

/** What the service has, or why it is not there. A session that has ended leads to sign-in, and back to this page. */
export function Shown<T>({ remote, what, children }: ShownProps<T>) {
  const { value, failure, pending, reload } = remote
  const isLost = failure?.code === 'missing_session'
  useEffect(() => {
    if (isLost) goSignIn({ now: Date.now(), storage: sessionStorage })
  }, [isLost])
  return (
    <>
      {failure !== undefined && <Trouble failure={failure} onRetry={reload} />}
      {value !== undefined && children(value)}
      <div role="status" className="loading">
        {pending && value === undefined && (
          <p>
            <span className="spinner" aria-hidden="true" /> Loading {what}…
          </p>
        )}
      </div>
    </>
  )
}

export interface TroubleProps {
  readonly failure: Failure
  readonly wait?: number
  readonly onRetry?: (() => void) | undefined
}

/** What went wrong, in the words of the service, with what to do about it. */
export function Trouble({ failure, wait = 0, onRetry }: TroubleProps) {
  const { path, search } = useAddress()
  return (
    <FailurePanel failure={failure} wait={wait} onOffer={() => onRetry?.()} elsewhere={failure.errors}>
      {failure.code === 'missing_session' && (
        <a className="secondary" href={signInAddress(`${path}${search}`)}>
          Sign in
        </a>
      )}
    </FailurePanel>
  )
}
