import { useCallback, useEffect, useRef, useState } from 'react'
import type { RequestFailure } from '../api/failure.js'
import type { Result } from '../api/request.js'

/** A value of the service, as last read by the page. */
export interface Resource<T> {
  readonly value: T | undefined
  /** Why the last read failed. An older value may still be present. */
  readonly failure: RequestFailure | undefined
  readonly pending: boolean
  reload(): void
  /** Replaces the value with the result of a change, without reading it again. */
  put(value: T): void
}

/** Values by key: a page that is opened again shows the last value at once, and reads it again. */
const cache = new Map<string, unknown>()

/** A tab that becomes visible again reads a value that is older than this. */
const FRESH_MS = 5_000

/**
 * Reads a value of the service: at once, when the tab becomes visible again, and on `reload`.
 *
 * @example
 * const { value, failure, reload } = useResource('sessions', service.listSessions)
 */
export function useResource<T>(key: string, load: () => Promise<Result<T>>): Resource<T> {
  const [state, setState] = useState<{
    readonly key: string
    readonly failure: RequestFailure | undefined
    readonly round: number
  }>({
    key,
    failure: undefined,
    round: 0,
  })
  const [pending, setPending] = useState(true)
  const [round, setRound] = useState(0)
  const readAt = useRef(0)
  const latest = useRef(load)
  latest.current = load

  useEffect(() => {
    let stopped = false
    readAt.current = Date.now()
    setPending(true)
    void latest.current().then((result) => {
      if (stopped) return
      if (result.ok) cache.set(key, result.value)
      setPending(false)
      setState({ key, failure: result.ok ? undefined : result.failure, round })
    })
    return () => {
      stopped = true
    }
  }, [key, round])

  const reload = useCallback(() => setRound((last) => last + 1), [])
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible' && Date.now() - readAt.current > FRESH_MS) reload()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => document.removeEventListener('visibilitychange', onVisible)
  }, [reload])
  const put = useCallback(
    (value: T) => {
      cache.set(key, value)
      setState((last) => ({ ...last, key, failure: undefined }))
    },
    [key],
  )
  return {
    value: cache.get(key) as T | undefined,
    failure: state.key === key ? state.failure : undefined,
    pending,
    reload,
    put,
  }
}
