import { useCallback, useEffect, useState } from 'react'
import type { Service } from '../api/client.js'
import type { CompletionRequest, SignInTestResult } from '../api/messages.js'
import { FailurePanel } from '../controls/failure-panel.js'
import { Icon } from '../controls/icon.js'
import { useCall } from '../controls/use-call.js'

/** How often the service is asked whether somebody has signed in. */
const PACE = 2000

export interface TestSignInProps {
  readonly token: string
  readonly transactionId: string
  /** Client ID and secret, once both can be sent. */
  readonly request: CompletionRequest | undefined
  readonly service: Service
}

/** One sign-in that counts for nothing, to prove that the connection works before anybody depends on it. */
export function TestSignIn({ token, transactionId, request, service }: TestSignInProps) {
  const call = useCall()
  const [url, setUrl] = useState<string>()
  const read = useCallback(() => service.readTest(token, transactionId), [service, token, transactionId])
  const result = useTestResult(url, read)
  const start = () => {
    if (request === undefined) return
    call.run(
      () => service.startTest(token, transactionId, request),
      ({ test_url }) => setUrl(test_url),
    )
  }
  return (
    <fieldset className="test">
      <legend>Sign in once to prove that it works</legend>
      <p className="hint">Optional. Nobody is locked out by a sign-in that fails here.</p>
      {call.failure !== undefined && (
        <FailurePanel failure={call.failure} wait={call.wait} onOffer={(offer) => offer === 'retry' && start()} />
      )}
      {url === undefined ? (
        <button
          type="button"
          className="secondary"
          aria-disabled={request === undefined || call.pending}
          onClick={start}
        >
          {call.pending ? 'Preparing…' : 'Prepare a test sign-in'}
        </button>
      ) : (
        <a className="secondary" href={url} target="_blank" rel="noopener">
          Sign in to test <Icon name="open" />
          <span className="off-screen"> (opens a new tab)</span>
        </a>
      )}
      <p role="status" className="test-result" data-status={result?.status}>
        {url !== undefined && describe(result)}
      </p>
    </fieldset>
  )
}

function describe(result: SignInTestResult | undefined): string {
  if (result?.status === 'passed') return `It works${result.email === undefined ? '' : `: ${result.email} signed in`}.`
  if (result?.status === 'failed') return result.detail ?? 'The sign-in failed.'
  return 'Waiting for the sign-in in the other tab…'
}

/** Asks until there is an outcome. An answer that does not come is asked for again. */
function useTestResult(url: string | undefined, read: () => ReturnType<Service['readTest']>) {
  const [result, setResult] = useState<SignInTestResult>()
  const [round, setRound] = useState(0)
  const over = url === undefined || result?.status === 'passed' || result?.status === 'failed'
  useEffect(() => {
    if (over) return
    const timer = setTimeout(async () => {
      const answer = await read()
      if (answer.ok) setResult(answer.value)
      setRound(round + 1)
    }, PACE)
    return () => clearTimeout(timer)
  }, [over, read, round])
  return result
}
