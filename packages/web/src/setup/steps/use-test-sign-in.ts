import { useCallback, useEffect, useState } from 'react'
import type { Failure } from '../../api/failure.js'
import { remedyOf } from '../../api/remedies.js'
import { type Call, useCall } from '../../controls/use-request.js'
import type { Service } from '../client.js'
import type { CompletionRequest, SignInTestResult } from '../messages.js'

/** How often the service is asked whether somebody has signed in: well below its limit of calls. */
const PACE = 3000

export interface SignInTestOptions {
  readonly token: string
  readonly transactionId: string
  /** What stands in the fields. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly service: Service
  /** The client of the latest test, as far as this tab knows; empty when it knows of none. */
  readonly testedClientId: string
  readonly onTested: (clientId: string) => void
}

export interface SignInTest {
  readonly call: Call
  /** Where to sign in, while the test waits for it. */
  readonly url: string | undefined
  readonly result: SignInTestResult | undefined
  /** Why the result cannot be asked for any more. */
  readonly lost: Failure | undefined
  start(): void
}

/** The client that a test was for. The secret is unknown after a reload. */
interface Tested {
  readonly client_id: string | undefined
  readonly client_secret?: string
}

/**
 * One sign-in on trial: prepares it, and asks what came of it. What is known is about the client that was tried, so it is not
 * shown while another stands in the fields.
 *
 * @example
 * const { url, result, start } = useSignInTest({ token, transactionId, clientId, clientSecret, service })
 */
export function useSignInTest(options: SignInTestOptions): SignInTest {
  const { token, transactionId, clientId, clientSecret, service, testedClientId, onTested } = options
  const call = useCall()
  const [tested, setTested] = useState<Tested>({ client_id: testedClientId === '' ? clientId : testedClientId })
  const [url, setUrl] = useState<string>()
  const read = useCallback(() => service.readTest(token, transactionId), [service, token, transactionId])
  const { result, lost, ask } = useReport(read)
  const isSame =
    tested.client_id === clientId && (tested.client_secret === undefined || tested.client_secret === clientSecret)
  const start = () => {
    if (clientId === undefined || clientSecret === undefined) return
    const request: CompletionRequest = { client_id: clientId, client_secret: clientSecret }
    call.run(
      () => service.startTest(token, transactionId, request),
      ({ test_url }) => {
        setTested(request)
        onTested(request.client_id)
        setUrl(test_url)
        ask()
      },
    )
  }
  const shown = isSame ? result : undefined
  return {
    call,
    url: shown?.status === 'pending' ? url : undefined,
    result: shown,
    lost: isSame ? lost : undefined,
    start,
  }
}

/** Asks at once, then until there is an outcome, and when the page is looked at again. */
function useReport(read: () => ReturnType<Service['readTest']>) {
  const [result, setResult] = useState<SignInTestResult>()
  const [lost, setLost] = useState<Failure>()
  const [round, setRound] = useState(0)
  const [delay, setDelay] = useState(0)
  const isOver = lost !== undefined || (result !== undefined && result.status !== 'pending')
  useEffect(() => {
    if (isOver) return
    let stopped = false
    const look = async () => {
      const answer = await read()
      if (stopped) return
      if (answer.ok) setResult(answer.value)
      else if (remedyOf(answer.failure.code).offer !== 'retry') setLost(answer.failure)
      setDelay(answer.ok ? PACE : Math.max(PACE, (answer.failure.retryAfter ?? 0) * 1000))
      setRound(round + 1)
    }
    const timer = delay === 0 ? void look() : setTimeout(look, delay)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [isOver, read, round, delay])
  useEffect(() => {
    const onLook = () => {
      if (document.visibilityState !== 'visible') return
      setDelay(0)
      setRound((last) => last + 1)
    }
    document.addEventListener('visibilitychange', onLook)
    return () => document.removeEventListener('visibilitychange', onLook)
  }, [])
  const ask = useCallback(() => {
    setLost(undefined)
    setResult({ status: 'pending' })
    setDelay(PACE)
    setRound((last) => last + 1)
  }, [])
  return { result, lost, ask }
}
