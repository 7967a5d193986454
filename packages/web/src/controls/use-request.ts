import { useCallback, useEffect, useRef, useState } from 'react'
import type { RequestFailure } from '../api/failure.js'
import type { Result } from '../api/request.js'

/** The state of the requests that one form or button sends, of which one runs at a time. */
export interface RequestState {
  readonly pending: boolean
  readonly failure: RequestFailure | undefined
  /** Seconds until the service accepts the next request; 0 when it does. */
  readonly wait: number
  /** Sends a request, unless one is pending. */
  run<T>(send: () => Promise<Result<T>>, onSuccess: (value: T) => void): void
  /** Clears the failure once the input that caused it has changed. A wait remains. */
  clear(): void
}

/**
 * Runs one request at a time and keeps its state.
 *
 * @example
 * const request = useRequest()
 * request.run(() => service.exchangeCode(code), ({ token }) => change({ type: 'code-exchanged', code, token }))
 */
export function useRequest(): RequestState {
  const [pending, setPending] = useState(false)
  const [failed, setFailed] = useState<{ readonly failure: RequestFailure; readonly at: number }>()
  const busy = useRef(false)
  const { retryAfter } = failed?.failure ?? {}
  const now = useNow(retryAfter === undefined ? undefined : 1000)
  const wait =
    failed === undefined || retryAfter === undefined
      ? 0
      : Math.max(0, Math.ceil((failed.at + retryAfter * 1000 - now) / 1000))

  const run = useCallback(<T>(send: () => Promise<Result<T>>, onSuccess: (value: T) => void) => {
    if (busy.current) return
    busy.current = true
    setPending(true)
    setFailed(undefined)
    void send().then((result) => {
      busy.current = false
      setPending(false)
      if (result.ok) onSuccess(result.value)
      else setFailed({ failure: result.failure, at: Date.now() })
    })
  }, [])
  const clear = useCallback(() => {
    setFailed((last) => (last?.failure.retryAfter === undefined ? undefined : last))
  }, [])
  return { pending, failure: failed?.failure, wait, run, clear }
}

/**
 * The current time, updated every `interval` milliseconds; without an interval, it is not updated.
 *
 * @example
 * const now = useNow(1000)
 */
export function useNow(interval: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (interval === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}
