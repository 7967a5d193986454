import type { SignInTestReport } from '@omen/server/api'
import { useEffect, useRef, useState } from 'react'
import type { RemedyAction } from '../../api/remedies.js'
import { FailurePanel } from '../../controls/failure-panel.js'
import { RequestButton } from '../../controls/form.js'
import { Icon } from '../../controls/icon.js'
import { type TestSignInOptions, useTestSignIn } from './use-test-sign-in.js'

export interface TestSignInProps extends TestSignInOptions {
  readonly onAction: (action: RemedyAction) => void
}

/** A sign-in that verifies the connection before users depend on it. It creates no account. */
export function TestSignIn({ onAction, ...options }: TestSignInProps) {
  const { request, url, result, readFailure, start } = useTestSignIn(options)
  const [attempted, setAttempted] = useState(false)
  const isReady = options.clientId !== undefined && options.clientSecret !== undefined
  const failure = request.failure ?? readFailure
  const begin = () => {
    setAttempted(!isReady)
    if (request.wait === 0) start()
  }
  return (
    <fieldset className="test" aria-busy={request.pending}>
      <legend>Test sign-in (optional)</legend>
      <p className="hint">
        Sign in once to verify the connection. No account is created, and a failed test locks nobody out.
      </p>
      {failure !== undefined && (
        <FailurePanel
          failure={failure}
          wait={request.wait}
          onAction={(action) => (action === 'retry' ? begin() : onAction(action))}
        />
      )}
      <Result result={result} />
      <div className="actions">
        {url !== undefined && <TestLink url={url} />}
        <RequestButton request={request} className={url === undefined ? 'secondary' : 'plain'} onClick={begin}>
          {request.pending ? 'Checking the client…' : LABELS[result?.status ?? 'none']}
        </RequestButton>
      </div>
      <p role="status" className="fine">
        {attempted && !isReady ? 'Enter the client ID and the client secret first.' : ''}
      </p>
    </fieldset>
  )
}

const LABELS: Readonly<Record<SignInTestReport['status'], string>> = {
  none: 'Start a test sign-in',
  pending: 'Start another test',
  passed: 'Test again',
  failed: 'Test again',
}

/** The link takes the focus when it appears: it is the next thing to use. */
function TestLink({ url }: { readonly url: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  return (
    <a ref={link} className="secondary" href={url} target="_blank" rel="noopener">
      Sign in to test <Icon name="open" />
      <span className="off-screen"> (opens in a new tab)</span>
    </a>
  )
}

function Result({ result }: { readonly result: SignInTestReport | undefined }) {
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

function describe({ status, email, detail }: SignInTestReport): string {
  if (status === 'passed') return `The test succeeded${email === undefined ? '' : `: ${email} signed in`}.`
  if (status === 'failed') return detail ?? 'The test sign-in failed.'
  return `Waiting for the sign-in. ${detail ?? ''}`.trim()
}
