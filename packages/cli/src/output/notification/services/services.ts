import type { NotificationType } from '../../../settings/settings.js'
import type { NotificationMessage } from '../message.js'
import { discord } from './discord.js'
import { mattermost } from './mattermost.js'
import { slack } from './slack.js'
import { teams } from './teams.js'
import { webhook } from './webhook.js'

/** What a service that answered with success may still complain of in its answer. */
export interface Complaint {
  readonly reason: string
  /** Whether another try can help. */
  readonly isPassing: boolean
}

/** A place to which notifications are posted. */
export interface Service {
  /** The body of the request, within the limits of the service. */
  payload(message: NotificationMessage, now: Date): unknown
  /** Some services answer 200 and say in the text that it did not work. */
  complaint?(answer: string): Complaint | undefined
}

export const SERVICES: Readonly<Record<NotificationType, Service>> = { slack, mattermost, discord, teams, webhook }
