import type { Failure } from '../../api/failure.js'
import { FailurePanel } from '../../controls/failure-panel.js'
import { useAddress } from '../navigation.js'
import { signInAddress } from '../sign-in.js'

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
