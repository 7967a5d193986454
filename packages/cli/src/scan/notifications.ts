import { hostname } from 'node:os'
import { formatTimestamp, severityLabel } from '@omen/engine'
import { localOffset } from '../console/clock.js'
import { errorLine } from '../console/standard-error.js'
import { Failure } from '../failure.js'
import type { Notifier } from '../output/notification/batcher.js'
import { MOST_PLACES, type NotifiedProblem } from '../output/notification/message.js'
import type { Session } from '../session.js'
import type { NotificationSettings } from '../settings/settings.js'
import type { ScanRun } from './run-scan.js'
import type { Problem } from './tally.js'

/** A problem as a notification contains it. */
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

/** Sends the configured notification. Rejects with a `Failure` if it cannot be delivered. */
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

/** Creates the notifier of a run that follows, if a notification is configured. It also sends what the last run could not. */
export async function startNotifier(
  { session, plan }: Pick<ScanRun, 'session' | 'plan'>,
  undelivered: unknown,
  signal: AbortSignal,
): Promise<Notifier | undefined> {
  const { notification } = session.loaded.settings
  if (notification === undefined) return undefined
  const { createNotifier } = await import('../output/notification/batcher.js')
  const notifier = createNotifier({
    send: (problems) => announce(notification, { prefix: plan.prefix, problems, signal }, session),
    clock: () => performance.now(),
    schedule(work, milliseconds) {
      const timer = setTimeout(work, milliseconds)
      return () => clearTimeout(timer)
    },
    failed: (error) => session.err.write(describeError(error)),
  })
  for (const problem of readOutbox(undelivered)) notifier.add(problem)
  return notifier
}

/** The line for an error. A network failure is explained; any other error is a defect, and is printed as it is. */
export function describeError(error: unknown): string {
  return error instanceof Failure ? errorLine(error.kind, error.message) : errorLine('Internal', String(error))
}

/** What the last run could not deliver, as far as it is valid. */
function readOutbox(undelivered: unknown): NotifiedProblem[] {
  return Array.isArray(undelivered) ? undelivered.filter(isNotifiedProblem) : []
}

function isNotifiedProblem(value: unknown): value is NotifiedProblem {
  const { id, severity, hits, first, title } = (value ?? {}) as Record<string, unknown>
  const isTitle = title === undefined || typeof title === 'string'
  return isTitle && [id, severity, first].every((text) => typeof text === 'string') && typeof hits === 'number'
}
