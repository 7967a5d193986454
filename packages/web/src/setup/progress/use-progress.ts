import { useCallback, useEffect, useReducer, useRef } from 'react'
import { isRecord } from '../../api/shape.js'
import { checkCode, codeOfLink } from '../checks.js'
import { type ConnectedUrls, readConnectedUrls } from '../client.js'
import { advance, type Change, isStep, type Progress, reachableStep, readToken, type Step } from './progress.js'
import { loadProgress, saveProgress } from './stored-progress.js'

/**
 * The progress of this tab. It survives reloads, adds one history entry per step, and is synchronized with other tabs.
 *
 * @example
 * const [progress, change] = useProgress()
 */
export function useProgress(): readonly [Progress, (change: Change) => void] {
  const [progress, dispatch] = useReducer(advance, undefined, begin)
  const latest = useRef(progress)
  latest.current = progress
  const tabs = useRef<TabChannel | undefined>(undefined)

  useEffect(() => saveProgress(() => sessionStorage, progress), [progress])
  useEffect(() => rememberStep(progress.step), [progress.step])

  useEffect(() => {
    const onBack = ({ state }: PopStateEvent) => {
      // An entry without a step comes from a link to this same page, which does not change the step.
      const to = reachableStep(stepOf(state) ?? latest.current.step, latest.current)
      history.replaceState({ step: to }, '')
      dispatch({ type: 'navigated', to })
    }
    const onLink = () => {
      const code = takeCodeOfLink()
      if (code !== undefined && !isCodeOf(latest.current, code)) dispatch({ type: 'started-over', code })
    }
    addEventListener('popstate', onBack)
    addEventListener('hashchange', onLink)
    return () => {
      removeEventListener('popstate', onBack)
      removeEventListener('hashchange', onLink)
    }
  }, [])

  useEffect(() => {
    tabs.current = openTabChannel((message) => {
      const change = changeOf(message, latest.current)
      if (change !== undefined) dispatch(change)
    })
    return () => tabs.current?.close()
  }, [])

  const change = useCallback((made: Change) => {
    const message = messageOf(made, latest.current)
    if (message !== undefined) tabs.current?.post(message)
    dispatch(made)
  }, [])
  return [progress, change]
}

/** The stored progress at the step of the history entry, or a new start with the code of the link. */
function begin(): Progress {
  const stored = loadProgress(() => sessionStorage)
  const code = takeCodeOfLink()
  if (code !== undefined && !isCodeOf(stored, code)) return advance(stored, { type: 'started-over', code })
  return advance(stored, { type: 'navigated', to: stepOf(history.state) ?? stored.step })
}

/** Removes the code from the address bar at once: URLs are shown, shared and stored. */
function takeCodeOfLink(): string | undefined {
  const code = codeOfLink(location.hash)
  if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

function isCodeOf(progress: Progress, code: string): boolean {
  const check = checkCode(code)
  return check.state === 'good' && check.value === progress.code
}

function rememberStep(step: Step): void {
  if (history.state === null) history.replaceState({ step }, '')
  else if (stepOf(history.state) !== step) history.pushState({ step }, '')
}

function stepOf(state: unknown): Step | undefined {
  return isRecord(state) && isStep(state.step) ? state.step : undefined
}

function messageOf(change: Change, { token }: Progress): TabMessage | undefined {
  const subject = readToken(token)?.subject
  if (subject === undefined) return undefined
  if (change.type === 'transaction-opened') {
    return { type: 'opened', subject, transactionId: change.opened.transaction_id }
  }
  return change.type === 'completed' ? { type: 'completed', subject, completion: change.completion } : undefined
}

function changeOf(message: TabMessage, { token, transaction }: Progress): Change | undefined {
  if (readToken(token)?.subject !== message.subject) return undefined
  if (message.type === 'completed') return { type: 'completed', completion: message.completion }
  return transaction !== undefined && transaction.id !== message.transactionId ? { type: 'superseded' } : undefined
}

/** What tabs of one browser send each other. It contains no secret. */
type TabMessage =
  | { readonly type: 'opened'; readonly subject: string; readonly transactionId: string }
  | { readonly type: 'completed'; readonly subject: string; readonly completion: ConnectedUrls }

const NAME = 'omen.setup'

interface TabChannel {
  post(message: TabMessage): void
  close(): void
}

/**
 * Opens a channel to the other tabs of this browser; in a browser without `BroadcastChannel`, it does nothing.
 *
 * @example
 * const tabs = openTabChannel((message) => console.log(message.type))
 * tabs.post({ type: 'opened', subject, transactionId })
 */
function openTabChannel(onMessage: (message: TabMessage) => void): TabChannel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, close: () => {} }
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isTabMessage(data)) onMessage(data)
  }
  return { post: (message) => channel.postMessage(message), close: () => channel.close() }
}

function isTabMessage(data: unknown): data is TabMessage {
  if (!isRecord(data) || typeof data.subject !== 'string') return false
  if (data.type === 'opened') return typeof data.transactionId === 'string'
  return data.type === 'completed' && readConnectedUrls(data.completion) !== undefined
}
