import { setTimeout as wait } from 'node:timers/promises'
import type { NotificationSettings } from '../../settings/settings.js'
import { type DeliveryTools, deliver } from './delivery/deliver.js'
import { createPost } from './delivery/post.js'
import type { NotificationMessage } from './message.js'
import { SERVICES } from './services/services.js'

export type { DeliveryTools } from './delivery/deliver.js'
export type { NotificationMessage, NotifiedProblem } from './message.js'

/** What a notification needs of the world; what is left out is the real thing. */
export interface NotifyTools extends Partial<DeliveryTools> {
  readonly log: DeliveryTools['log']
  /** Names the proxies. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Tells a chat or a server what was found: one message, within the limits of the service, tried again where that can help.
 * Rejects with a `Failure` when it could not be delivered. Nothing found is nothing to tell.
 *
 * @example
 * await notify(settings.notification, { prefix: 'nightly: ', host: hostname(), problems }, { env: process.env, log })
 */
export async function notify(
  settings: NotificationSettings,
  message: NotificationMessage,
  tools: NotifyTools,
): Promise<void> {
  if (message.problems.length === 0) return
  const { now = Date.now } = tools
  const body = JSON.stringify(SERVICES[settings.type].payload(message, new Date(now())))
  await deliver(settings, body, { post: createPost(tools.env), sleep, random: Math.random, ...tools, now })
}

async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  // An end that comes early is what the signal is for, not an error.
  await wait(milliseconds, undefined, signal ? { signal } : {}).catch(() => {})
}
