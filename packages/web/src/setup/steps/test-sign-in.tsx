import { useEffect, useRef, useState } from 'react'
import type { Offer } from '../../api/remedies.js'
import { FailurePanel } from '../../controls/failure-panel.js'
import { Icon } from '../../controls/icon.js'
import type { SignInTestResult } from '../messages.js'
import { type SignInTestOptions, useSignInTest } from './use-test-sign-in.js'

export interface TestSignInProps extends SignInTestOptions {
  readonly onOffer: (offer: Offer) => void
}

/** One sign-in that counts for nothing, to prove that the connection works before anybody depends on it. */
export function TestSignIn({ onOffer, ...options }: TestSignInProps) {
  const { call, url, result, lost, start } = useSignInTest(options)
  const [told, setTold] = useState(false)
  const isReady = options.clientId !== undefined && options.clientSecret !== undefined
  const failure = call.failure ?? lost
  const begin = () => {
    setTold(!isReady)
    if (call.wait === 0) start()
  }
  return (
    <fieldset className="test" aria-busy={call.pending}>
      <legend>Sign in once to prove that it works</legend>
      <p className="hint">
        Optional, and it counts for nothing: no account is made, and nobody is locked out by a sign-in that fails here.
      </p>
      {failure !== undefined && (
        <FailurePanel
          failure={failure}
          wait={call.wait}
          onOffer={(offer) => (offer === 'retry' ? begin() : onOffer(offer))}
        />
      )}
      <Result result={result} />
      <div className="actions">
        {url !== undefined && <TestLink url={url} />}
        <button
          type="button"
          className={url === undefined ? 'secondary' : 'plain'}
          aria-disabled={call.pending}
          onClick={begin}
        >
          {call.pending && <span className="spinner" aria-hidden="true" />}
          {call.pending ? 'Trying the client…' : LABELS[result?.status ?? 'none']}
        </button>
      </div>
      <p role="status" className="fine">
        {told && !isReady ? 'Enter the client ID and the client secret first.' : ''}
      </p>
    </fieldset>
  )
}

const LABELS: Readonly<Record<SignInTestResult['status'], string>> = {
  none: 'Prepare a test sign-in',
  pending: 'Prepare another one',
  passed: 'Test again',
  failed: 'Test again',
}

/** Takes the keyboard when it appears: it is what to do next. */
function TestLink({ url }: { readonly url: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  return (
    <a ref={link} className="secondary" href={url} target="_blank" rel="noopener">
      Sign in to test <Icon name="open" />
      <span className="off-screen"> (opens a new tab)</span>
    </a>
  )
}

function Result({ result }: { readonly result: SignInTestResult | undefined }) {
  return (
    <div role="status" className="test-result" data-status={result?.status}>
      {result !== undefined && result.status !== 'none' && (
        <p>
          {result.status === 'passed' && <Icon name="tick" />}
          {result.status === 'failed' && <Icon name="cross" />}
          <span>{describe(result)}</span>
        </p>
      )}
    </div>
  )
}

function describe({ status, email, detail }: SignInTestResult): string {
  if (status === 'passed') return `It works${email === undefined ? '' : `: ${email} signed in`}.`
  if (status === 'failed') return detail ?? 'The sign-in failed.'
  return `Waiting for the sign-in. ${detail ?? ''}`.trim()
}
