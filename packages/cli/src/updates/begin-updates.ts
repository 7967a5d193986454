import type { CommonOptions } from '../command-line/command.js'
import type { Session } from '../session.js'
import { maskPassword } from '../settings/mask-url.js'
import type { Settings } from '../settings/settings.js'
import { VERSION } from '../version.js'
import { readUpdateState, type UpdateState } from './update-state.js'

/** The check for updates during a scan. */
export interface ScanUpdates {
  /** Waits for the check for a limited time, asks the user where needed, and prints what is available. */
  decide(): Promise<void>
  /** Installs the accepted updates, before the rules are loaded. */
  install(signal: AbortSignal): Promise<void>
  /** Ends with the scan: a check without a response is aborted. */
  end(): Promise<void>
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000n

/**
 * Decides at the start of a scan whether to check for updates, or to offer those of the last check. Without `service.url` it does
 * neither. This reads one small file: the code that does the work is loaded only when it is needed.
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
  if (state.retryAt !== undefined && state.retryAt > now && state.retryAt - now < MAX_RETRY_PAUSE) return undefined
  const isDue = isCheckDue(state, settings.updateFrequency, now)
  const accepts = options.acceptUpdates || settings.acceptUpdates
  if (!isDue && !hasNews(state, settings, accepts)) return undefined
  const loading = import('./scan-updates.js').then(({ startScanUpdates }) => {
    return startScanUpdates({ state, isDue, accepts, options, session, service: serviceUrl })
  })
  // Prevents an unhandled rejection; `decide` rejects too.
  loading.catch(() => {})
  return {
    decide: async () => (await loading).decide(),
    install: async (signal) => (await loading).install(signal),
    end: async () => (await loading).end(),
  }
}

/** Milliseconds: a later `retryAt` was written while the clock was wrong. */
const MAX_RETRY_PAUSE = 24 * 60 * 60 * 1000

/**
 * Whether it is time for another check. A frequency of zero, `off` in the settings, means never. A last check in the future was
 * written while the clock was wrong.
 */
export function isCheckDue({ checked, outdated }: UpdateState, frequency: bigint, now: number): boolean {
  if (frequency === 0n) return false
  return (
    checked === undefined ||
    outdated === true ||
    checked > now ||
    BigInt(now - checked) * NANOSECONDS_PER_MILLISECOND >= frequency
  )
}

/** Whether the last response may offer an update to this run. */
function hasNews(state: UpdateState, settings: Settings, accepts: boolean): boolean {
  if (state.response === undefined) return false
  if (state.newsFor !== newsFor(settings)) return true
  return state.news === 'some' || (state.news === 'declined' && accepts)
}

/** What decides, beside the response, whether there is news. */
export function newsFor({ rulesVersion }: Pick<Settings, 'rulesVersion'>): string {
  return `${VERSION} ${rulesVersion ?? ''}`.trimEnd()
}
