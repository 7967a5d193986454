import { errorLine } from '../console/standard-error.js'
import { Failure } from '../failure.js'
import type { Notifier } from '../output/notification/batcher.js'
import type { NotifiedProblem } from '../output/notification/message.js'
import { announce } from './announce.js'
import type { ScanRun } from './run-scan.js'

/** Makes the notifier of a run that follows, where a notification is configured. What a run before left is sent too. */
export async function startNotifier(
  { session, plan }: Pick<ScanRun, 'session' | 'plan'>,
  left: unknown,
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
    failed: (error) => session.err.write(describe(error)),
  })
  for (const problem of readOutbox(left)) notifier.add(problem)
  return notifier
}

/** The line for an error. One of the network is the user's to know; any other is a mistake of ours, told in its own words. */
export function describe(error: unknown): string {
  return error instanceof Failure ? errorLine(error.kind, error.message) : errorLine('Internal', String(error))
}

/** What was not delivered by the run before, as far as it can be understood. */
function readOutbox(left: unknown): NotifiedProblem[] {
  return Array.isArray(left) ? left.filter(isNotifiedProblem) : []
}

function isNotifiedProblem(value: unknown): value is NotifiedProblem {
  const { id, severity, hits, first, title } = (value ?? {}) as Record<string, unknown>
  const isTitle = title === undefined || typeof title === 'string'
  return isTitle && [id, severity, first].every((text) => typeof text === 'string') && typeof hits === 'number'
}
