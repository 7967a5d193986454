import type { NotificationType } from '../../settings/settings.js'
import { discord } from './discord.js'
import { mattermost } from './mattermost.js'
import type { Service } from './service.js'
import { slack } from './slack.js'
import { teams } from './teams.js'
import { webhook } from './webhook.js'

export const SERVICES: Readonly<Record<NotificationType, Service>> = { slack, mattermost, discord, teams, webhook }
