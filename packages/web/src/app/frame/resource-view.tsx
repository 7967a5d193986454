import { type ReactNode, useEffect } from 'react'
import { FailurePanel } from '../../controls/failure-panel.js'
import type { RequestState } from '../../controls/use-request.js'
import { useAddress } from '../navigation.js'
import { redirectToSignIn, signInUrl } from '../sign-in.js'
import type { Resource } from '../use-resource.js'

export interface ResourceViewProps<T> {
  readonly resource: Resource<T>
  /** What is being read: completes “Loading …”. */
  readonly what: string
  readonly children: (value: T) => ReactNode
}

/** Shows a resource, or why it cannot be read. Without a session, the page redirects to sign-in and back. */
export function ResourceView<T>({ resource, what, children }: ResourceViewProps<T>) {
  const { value, failure, pending, reload } = resource
  const hasNoSession = failure?.code === 'missing_session'
  useEffect(() => {
    if (hasNoSession) redirectToSignIn({ now: Date.now(), storage: sessionStorage })
  }, [hasNoSession])
  return (
    <>
      <RequestFailurePanel request={{ failure, wait: 0 }} onRetry={reload} />
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

export interface RequestFailurePanelProps {
  readonly request: Pick<RequestState, 'failure' | 'wait'>
  readonly onRetry?: () => void
}

/** Why a request failed, with a link to sign in when the session has ended. Without a failure, it shows nothing. */
export function RequestFailurePanel({ request: { failure, wait }, onRetry }: RequestFailurePanelProps) {
  const { path, search } = useAddress()
  if (failure === undefined) return null
  return (
    <FailurePanel failure={failure} wait={wait} onAction={() => onRetry?.()} fieldErrors={failure.errors}>
      {failure.code === 'missing_session' && (
        <a className="secondary" href={signInUrl(`${path}${search}`)}>
          Sign in
        </a>
      )}
    </FailurePanel>
  )
}
