import type { CompletionRequest, SignInTestReport } from '@omen/server/api'
import { useCallback, useEffect, useState } from 'react'
import type { RequestFailure } from '../../api/failure.js'
import { remedyOf } from '../../api/remedies.js'
import { type RequestState, useRequest } from '../../controls/use-request.js'
import type { Service } from '../client.js'

/** The polling interval for the result: well below the rate limit of the service. */
const POLL_MS = 3000

export interface TestSignInOptions {
  readonly token: string
  readonly transactionId: string
  /** The current values of the fields. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly service: Service
  /** The client of the latest test in this tab; empty when there was none. */
  readonly testedClientId: string
  readonly onTested: (clientId: string) => void
}

export interface TestSignInState {
  readonly request: RequestState
  /** Where to sign in, while the test is pending. */
  readonly url: string | undefined
  readonly result: SignInTestReport | undefined
  /** Why the result can no longer be read. */
  readonly readFailure: RequestFailure | undefined
  start(): void
}

/** The client that a test was for. The secret is unknown after a reload. */
interface Tested {
  readonly client_id: string | undefined
  readonly client_secret?: string
}

/**
 * Starts a test sign-in and polls its result. The result applies to the tested client, so it is hidden while the fields contain
 * another one.
 *
 * @example
 * const { url, result, start } = useTestSignIn({ token, transactionId, clientId, clientSecret, service })
 */
export function useTestSignIn(options: TestSignInOptions): TestSignInState {
  const { token, transactionId, clientId, clientSecret, service, testedClientId, onTested } = options
  const request = useRequest()
  const [tested, setTested] = useState<Tested>({ client_id: testedClientId === '' ? clientId : testedClientId })
  const [url, setUrl] = useState<string>()
  const read = useCallback(() => service.readTest(token, transactionId), [service, token, transactionId])
  const { result, readFailure, restart } = useTestResult(read)
  const isSame =
    tested.client_id === clientId && (tested.client_secret === undefined || tested.client_secret === clientSecret)
  const start = () => {
    if (clientId === undefined || clientSecret === undefined) return
    const body: CompletionRequest = { client_id: clientId, client_secret: clientSecret }
    request.run(
      () => service.startTest(token, transactionId, body),
      ({ test_url }) => {
        setTested(body)
        onTested(body.client_id)
        setUrl(test_url)
        restart()
      },
    )
  }
  const shown = isSame ? result : undefined
  return {
    request,
    url: shown?.status === 'pending' ? url : undefined,
    result: shown,
    readFailure: isSame ? readFailure : undefined,
    start,
  }
}

/** Reads the result at once, then polls until there is an outcome, and reads it whenever the page becomes visible. */
function useTestResult(read: () => ReturnType<Service['readTest']>) {
  const [result, setResult] = useState<SignInTestReport>()
  const [readFailure, setReadFailure] = useState<RequestFailure>()
  const [round, setRound] = useState(0)
  const [delay, setDelay] = useState(0)
  const isOver = readFailure !== undefined || (result !== undefined && result.status !== 'pending')
  useEffect(() => {
    if (isOver) return
    let stopped = false
    const readOnce = async () => {
      const response = await read()
      if (stopped) return
      if (response.ok) setResult(response.value)
      else if (remedyOf(response.failure.code).action !== 'retry') setReadFailure(response.failure)
      setDelay(response.ok ? POLL_MS : Math.max(POLL_MS, (response.failure.retryAfter ?? 0) * 1000))
      setRound(round + 1)
    }
    const timer = delay === 0 ? void readOnce() : setTimeout(readOnce, delay)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [isOver, read, round, delay])
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState !== 'visible') return
      setDelay(0)
      setRound((last) => last + 1)
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [])
  const restart = useCallback(() => {
    setReadFailure(undefined)
    setResult({ status: 'pending' })
    setDelay(POLL_MS)
    setRound((last) => last + 1)
  }, [])
  return { result, readFailure, restart }
}
