import type { CommonOptions } from '../command-line/command.js'
import type { Session } from '../session.js'
import { maskPassword } from '../settings/mask-url.js'
import type { Settings } from '../settings/settings.js'
import { VERSION } from '../version.js'
import { readUpdateState, type UpdateState } from './update-state.js'

/** The updates of a scan, beside it. */
export interface ScanUpdates {
  /** Waits for the check as long as a scan may wait, asks what has to be asked, and says what there is. */
  decide(): Promise<void>
  /** Installs what was accepted, before the rules are loaded. */
  take(signal: AbortSignal): Promise<void>
  /** The scan is over: a check that has not been answered is given up. */
  end(): Promise<void>
}

const NANOSECONDS = 1_000_000n

/**
 * Looks, at the start of a scan, whether there is anything to do about updates: to ask the service, or to tell of what it has
 * answered before. Without `service.url` there never is. It costs the reading of one small file: what does the work, and all
 * that talks to the network, is loaded only when there is something to do.
 *
 * @example
 * const updates = beginUpdates(options, session)
 * await updates?.decide()
 */
export function beginUpdates(options: CommonOptions, session: Session): ScanUpdates | undefined {
  const { settings, folder } = session.loaded
  const { serviceUrl } = settings
  if (serviceUrl === undefined) return undefined
  const state = readUpdateState(folder, maskPassword(serviceUrl))
  const now = session.now.getTime()
  if (state.retryAt !== undefined && state.retryAt > now && state.retryAt - now < MOST_PATIENCE) return undefined
  const isDue = isCheckDue(state, settings.updateFrequency, now)
  const accepts = options.acceptUpdates || settings.acceptUpdates
  if (!isDue && !hasNews(state, settings, accepts)) return undefined
  const loading = import('./scan-updates.js').then(({ startScanUpdates }) => {
    return startScanUpdates({ state, isDue, accepts, options, session, service: serviceUrl })
  })
  // What goes wrong is told by whoever waits for it.
  loading.catch(() => {})
  return {
    decide: async () => (await loading).decide(),
    take: async (signal) => (await loading).take(signal),
    end: async () => (await loading).end(),
  }
}

/** Nothing is put off for longer: such a time is from a clock that was wrong. */
const MOST_PATIENCE = 24 * 60 * 60 * 1000

/**
 * Whether it is time to ask the service again. A frequency of zero, which the settings write `off`, is never. A last time that
 * lies in the future is from a clock that was wrong.
 */
export function isCheckDue({ checked, doubtful }: UpdateState, frequency: bigint, now: number): boolean {
  if (frequency === 0n) return false
  return checked === undefined || doubtful === true || checked > now || BigInt(now - checked) * NANOSECONDS >= frequency
}

/** Whether the last answer has something for this run. What was judged by other settings is judged anew. */
function hasNews(state: UpdateState, settings: Settings, accepts: boolean): boolean {
  if (state.answer === undefined) return false
  if (state.judgedBy !== judgedBy(settings)) return true
  return state.news === 'some' || (state.news === 'declined' && accepts)
}

/** By what it is judged whether an answer has news. */
export function judgedBy({ rulesVersion }: Pick<Settings, 'rulesVersion'>): string {
  return `${VERSION} ${rulesVersion ?? ''}`.trimEnd()
}
