import { isRecord } from '../api/failure.js'
import type { Completion } from '../api/messages.js'

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
