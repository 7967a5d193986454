import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../api/failure.js'
import type { Answer } from '../api/request.js'

/** What the service has, as far as it is known here. */
export interface Remote<T> {
  readonly value: T | undefined
  /** Why it could not be asked the last time; an older value may be there all the same. */
  readonly failure: Failure | undefined
  readonly pending: boolean
  reload(): void
  /** Puts in what a change has made of it, before the service is asked again. */
  put(value: T): void
}

/** What was read is kept for the next page that shows it: going back takes no time. It is asked for again all the same. */
const kept = new Map<string, unknown>()

/** Whoever comes back to a tab sooner than this has not been away. */
const FRESH_MS = 5_000

/**
 * Reads something of the service: at once, when the page is looked at again, and when asked to.
 *
 * @example
 * const { value, failure, reload } = useRemote('sessions', service.listSessions)
 */
export function useRemote<T>(key: string, load: () => Promise<Answer<T>>): Remote<T> {
  const [state, setState] = useState<{
    readonly key: string
    readonly failure: Failure | undefined
    readonly round: number
  }>({
    key,
    failure: undefined,
    round: 0,
  })
  const [pending, setPending] = useState(true)
  const [round, setRound] = useState(0)
  const askedAt = useRef(0)
  const latest = useRef(load)
  latest.current = load

  useEffect(() => {
    let stopped = false
    askedAt.current = Date.now()
    setPending(true)
    void latest.current().then((answer) => {
      if (stopped) return
      if (answer.ok) kept.set(key, answer.value)
      setPending(false)
      setState({ key, failure: answer.ok ? undefined : answer.failure, round })
    })
    return () => {
      stopped = true
    }
  }, [key, round])

  const reload = useCallback(() => setRound((last) => last + 1), [])
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && Date.now() - askedAt.current > FRESH_MS) reload()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [reload])
  const put = useCallback(
    (value: T) => {
      kept.set(key, value)
      setState((last) => ({ ...last, key, failure: undefined }))
    },
    [key],
  )
  return {
    value: kept.get(key) as T | undefined,
    failure: state.key === key ? state.failure : undefined,
    pending,
    reload,
    put,
  }
}
