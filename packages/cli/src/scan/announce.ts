import { hostname } from 'node:os'
import { formatTimestamp, severityLabel } from '@omen/engine'
import { localOffset } from '../console/clock.js'
import { MOST_PLACES, type NotifiedProblem } from '../output/notification/message.js'
import type { Session } from '../session.js'
import type { NotificationSettings } from '../settings/settings.js'
import type { Problem } from './tally.js'

/** A problem as a notification tells of it. */
export function notifiedProblem({ cre, detections, first, places }: Omit<Problem, 'hits'>): NotifiedProblem {
  return {
    id: cre.id,
    severity: severityLabel(cre.severity),
    hits: detections,
    first: formatTimestamp(first, localOffset),
    ...(cre.title !== undefined && { title: cre.title }),
    ...(places && { places: places.slice(0, MOST_PLACES) }),
  }
}

export interface Announcement {
  readonly prefix: string
  readonly problems: readonly NotifiedProblem[]
  readonly reportName?: string | undefined
  readonly signal?: AbortSignal
}

/** Sends the notification that is configured. Rejects with a `Failure` when it could not be delivered. */
export async function announce(
  settings: NotificationSettings,
  { prefix, problems, reportName, signal }: Announcement,
  { env, log }: Pick<Session, 'env' | 'log'>,
): Promise<void> {
  const { notify } = await import('../output/notification/notify.js')
  await notify(
    settings,
    { prefix, host: hostname(), problems, ...(reportName !== undefined && { reportName }) },
    { env, log, ...(signal && { signal }) },
  )
}
