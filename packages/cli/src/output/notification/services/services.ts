import type { NotificationType } from '../../../settings/settings.js'
import type { NotificationMessage } from '../message.js'
import { discord } from './discord.js'
import { mattermost } from './mattermost.js'
import { slack } from './slack.js'
import { teams } from './teams.js'
import { webhook } from './webhook.js'

/** An error in the body of a successful response. */
export interface Rejection {
  readonly reason: string
  /** Whether a retry can help. */
  readonly isTemporary: boolean
}

/** A service that notifications are posted to. */
export interface Service {
  /** The body of the request, within the limits of the service. */
  payload(message: NotificationMessage, now: Date): unknown
  /** Finds an error in a response body: some services respond with 200 to a request that failed. */
  rejection?(body: string): Rejection | undefined
}

export const SERVICES: Readonly<Record<NotificationType, Service>> = { slack, mattermost, discord, teams, webhook }
