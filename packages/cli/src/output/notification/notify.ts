import { setTimeout as wait } from 'node:timers/promises'
import type { NotificationSettings } from '../../settings/settings.js'
import { type DeliveryDeps, deliver } from './delivery/deliver.js'
import { createPost } from './delivery/post.js'
import type { NotificationMessage } from './message.js'
import { SERVICES } from './services/services.js'

export type { DeliveryDeps } from './delivery/deliver.js'
export type { NotificationMessage, NotifiedProblem } from './message.js'

/** The dependencies of a notification; optional ones default to the real ones. */
export interface NotifyDeps extends Partial<DeliveryDeps> {
  readonly log: DeliveryDeps['log']
  /** The environment, which configures proxies. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Sends one message about the problems found, within the limits of the service, and retries temporary errors. Rejects with a
 * `Failure` if it could not be delivered. Sends nothing if no problem was found.
 *
 * @example
 * await notify(settings.notification, { prefix: 'nightly: ', host: hostname(), problems }, { env: process.env, log })
 */
export async function notify(
  settings: NotificationSettings,
  message: NotificationMessage,
  deps: NotifyDeps,
): Promise<void> {
  if (message.problems.length === 0) return
  const { now = Date.now } = deps
  const body = JSON.stringify(SERVICES[settings.type].payload(message, new Date(now())))
  await deliver(settings, body, { post: createPost(deps.env), sleep, random: Math.random, ...deps, now })
}

async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  // An aborted wait is not an error.
  await wait(milliseconds, undefined, signal ? { signal } : {}).catch(() => {})
}
