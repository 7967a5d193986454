import { useCallback, useEffect, useReducer, useRef } from 'react'
import { isRecord } from '../../api/failure.js'
import { checkCode, codeOfLink } from '../checks.js'
import type { Completion } from '../messages.js'
import { advance, type Change, isStep, type Progress, reachable, readToken, type Step } from './progress.js'
import { findProgress, keepProgress } from './stored-progress.js'

/**
 * The progress of this tab: kept over reloads, one entry of the browser's history per step, in step with other tabs.
 *
 * @example
 * const [progress, change] = useProgress()
 */
export function useProgress(): readonly [Progress, (change: Change) => void] {
  const [progress, dispatch] = useReducer(advance, undefined, begin)
  const latest = useRef(progress)
  latest.current = progress
  const tabs = useRef<OtherTabs | undefined>(undefined)

  useEffect(() => keepProgress(() => sessionStorage, progress), [progress])
  useEffect(() => rememberStep(progress.step), [progress.step])

  useEffect(() => {
    const onBack = ({ state }: PopStateEvent) => {
      // An entry without a step is a link to this page that was followed on it: that moves nobody.
      const to = reachable(stepOf(state) ?? latest.current.step, latest.current)
      history.replaceState({ step: to }, '')
      dispatch({ type: 'went', to })
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
    tabs.current = joinTabs((news) => {
      const change = changeOf(news, latest.current)
      if (change !== undefined) dispatch(change)
    })
    return () => tabs.current?.close()
  }, [])

  const change = useCallback((made: Change) => {
    const news = newsOf(made, latest.current)
    if (news !== undefined) tabs.current?.tell(news)
    dispatch(made)
  }, [])
  return [progress, change]
}

/** What was kept, at the step that the browser's history says; or a new start with the code of the link. */
function begin(): Progress {
  const kept = findProgress(() => sessionStorage)
  const code = takeCodeOfLink()
  if (code !== undefined && !isCodeOf(kept, code)) return advance(kept, { type: 'started-over', code })
  return advance(kept, { type: 'went', to: stepOf(history.state) ?? kept.step })
}

/** The code of the link leaves the address bar at once: addresses are shown, shared and kept. */
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

function newsOf(change: Change, { token }: Progress): TabNews | undefined {
  const subject = readToken(token)?.subject
  if (subject === undefined) return undefined
  if (change.type === 'transaction-opened') {
    return { type: 'opened', subject, transactionId: change.opened.transaction_id }
  }
  return change.type === 'completed' ? { type: 'completed', subject, completion: change.completion } : undefined
}

function changeOf(news: TabNews, { token, transaction }: Progress): Change | undefined {
  if (readToken(token)?.subject !== news.subject) return undefined
  if (news.type === 'completed') return { type: 'completed', completion: news.completion }
  return transaction !== undefined && transaction.id !== news.transactionId ? { type: 'superseded' } : undefined
}

/** What tabs of one browser tell each other: enough to know that they are about the same set-up, and no secret. */
export type TabNews =
  | { readonly type: 'opened'; readonly subject: string; readonly transactionId: string }
  | { readonly type: 'completed'; readonly subject: string; readonly completion: Completion }

const NAME = 'omen.setup'

export interface OtherTabs {
  tell(news: TabNews): void
  close(): void
}

/**
 * Listens to the other tabs. In a browser without channels between tabs, each is alone.
 *
 * @example
 * const tabs = joinTabs((news) => console.log(news.type))
 * tabs.tell({ type: 'opened', subject, transactionId })
 */
export function joinTabs(hear: (news: TabNews) => void): OtherTabs {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, close: () => {} }
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isTabNews(data)) hear(data)
  }
  return { tell: (news) => channel.postMessage(news), close: () => channel.close() }
}

function isTabNews(data: unknown): data is TabNews {
  if (!isRecord(data) || typeof data.subject !== 'string') return false
  if (data.type === 'opened') return typeof data.transactionId === 'string'
  const { completion } = data
  return (
    data.type === 'completed' &&
    isRecord(completion) &&
    typeof completion.login_url === 'string' &&
    typeof completion.app_url === 'string'
  )
}
