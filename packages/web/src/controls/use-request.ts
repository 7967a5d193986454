import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../api/failure.js'
import type { Answer } from '../api/request.js'

export interface Call {
  readonly pending: boolean
  readonly failure: Failure | undefined
  /** Seconds until the service wants to be asked again; 0 when it may be asked. */
  readonly wait: number
  /** Makes the call, unless one is under way or it is too early. */
  run<T>(make: () => Promise<Answer<T>>, done: (value: T) => void): void
  /** Takes the failure off the page once what it was about has changed. A wait stays. */
  forget(): void
}

/**
 * One call to the service at a time: whether it is under way, how it failed, and how long to wait.
 *
 * @example
 * const call = useCall()
 * call.run(() => service.exchangeCode(code), ({ token }) => change({ type: 'code-exchanged', code, token }))
 */
export function useCall(): Call {
  const [pending, setPending] = useState(false)
  const [failed, setFailed] = useState<{ readonly failure: Failure; readonly at: number }>()
  const busy = useRef(false)
  const until = failed === undefined ? 0 : failed.at + (failed.failure.retryAfter ?? 0) * 1000
  const waits = failed?.failure.retryAfter !== undefined
  const now = useNow(waits ? 1000 : undefined)
  const wait = waits ? Math.max(0, Math.ceil((until - now) / 1000)) : 0

  const run = useCallback(<T>(make: () => Promise<Answer<T>>, done: (value: T) => void) => {
    if (busy.current) return
    busy.current = true
    setPending(true)
    setFailed(undefined)
    void make().then((answer) => {
      busy.current = false
      setPending(false)
      if (answer.ok) done(answer.value)
      else setFailed({ failure: answer.failure, at: Date.now() })
    })
  }, [])
  const forget = useCallback(() => {
    setFailed((last) => (last?.failure.retryAfter === undefined ? undefined : last))
  }, [])
  return { pending, failure: failed?.failure, wait, run, forget }
}

/**
 * The present, as often as asked for. Without a pace it stands still.
 *
 * @example
 * const now = useNow(1000)
 */
export function useNow(pace: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (pace === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), pace)
    return () => clearInterval(timer)
  }, [pace])
  return now
}
