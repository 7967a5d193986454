import type { TokenSource } from '../account/token-source.js'
import { openTokens } from '../account/token-source.js'
import { monotonic, startTicking } from '../console/clock.js'
import { createProgress } from '../console/progress/progress.js'
import { isSingleFile, packagedPath } from '../packaged/files.js'
import type { Session } from '../session.js'
import { maskPassword } from '../settings/mask-url.js'
import { type Announcement, readAnnouncement } from './announcement.js'
import { newsFor } from './begin-updates.js'
import { type Busy, installOffers, type Outcome } from './install-offers.js'
import { findInstallation, type Installation } from './install-tool.js'
import { compareOffers, installedVersions, newsOf, type Offer } from './offers.js'
import { trustedKeys } from './release-keys.js'
import { LIMITS, type Limits, openService, type Service } from './service.js'
import { readUpdateState, type UpdateState, writeUpdateState } from './update-state.js'

/** Checks for updates, installs them, and stores the state between runs. */
export interface Updater {
  readonly service: Service
  readonly installation: Installation
  readonly state: UpdateState
  /** Whether the check waits for the renewal of the sign-in. */
  readonly isRenewing: boolean
  /** Requests the newest versions, and stores the response. Rejects with a `Failure`. */
  check(signal?: AbortSignal): Promise<void>
  /** The last response, compared with what is installed now; empty before the first response. */
  offers(): readonly Offer[]
  /** Stores that the user has declined. */
  decline(offer: Offer): void
  /** Stores that the user has seen the command to run, which is not shown again before the next check. */
  markNotified(offer: Offer): void
  /** After a failure: the next check happens after a pause. */
  pause(): void
  /** The same if another process renews the sign-in and checks, unless it has finished already. */
  pauseForRenewal(): void
  install(
    offers: readonly Offer[],
    options?: { quiet?: boolean; signal?: AbortSignal },
  ): Promise<readonly Outcome[] | Busy>
  close(): void
}

export interface UpdaterDeps {
  readonly limits?: Limits
  readonly installation?: Installation
  /** The state, if it was read already. */
  readonly state?: UpdateState
  readonly tokens?: TokenSource | undefined
}

/**
 * Creates the updater of a service.
 *
 * @example
 * const updater = createUpdater(session, 'https://omen.example.com')
 * await updater.check()
 * updater.offers().filter(({ verdict }) => verdict === 'new')
 */
export function createUpdater(session: Session, url: string, deps: UpdaterDeps = {}): Updater {
  const { env, loaded } = session
  const { folder, settings } = loaded
  const { limits = LIMITS } = deps
  const installation = deps.installation ?? installationOf(session)
  const tokens = deps.tokens ?? openTokens(session, new URL(url))
  const service = openService({ url, tokens, env, limits })
  let state = deps.state ?? readUpdateState(folder, maskPassword(url))

  function save(change: Partial<UpdateState>): void {
    state = { ...state, ...change }
    state = { ...state, news: newsOf(offers()), newsFor: newsFor(settings) }
    writeUpdateState(folder, state)
  }

  function pause(change: Partial<UpdateState> = {}): void {
    const retryAt = session.now.getTime() + retryPause(settings.updateFrequency, limits)
    save({ outdated: true, retryAt, ...change })
  }

  function offers(): readonly Offer[] {
    const announcement = announced(state, service.url)
    if (announcement === undefined) return []
    const { rulesVersion } = settings
    const platform = isSingleFile() ? `${process.platform}-${process.arch}` : undefined
    const installed = installedVersions(folder)
    const { declined, notified } = state
    return compareOffers(announcement, { installed, rulesVersion, declined, notified, platform })
  }

  return {
    service,
    installation,
    get state() {
      return state
    },
    get isRenewing() {
      return tokens?.isRenewing ?? false
    },
    offers,
    async check(signal) {
      const etag = announced(state, service.url) === undefined ? undefined : state.etag
      const latest = await service.latest(etag, signal)
      const checked = session.now.getTime()
      const change = { checked, retryAt: 0, outdated: false, renewing: false, notified: {} }
      if (latest === 'unchanged') return save(change)
      readAnnouncement(latest.text, service.url)
      save({ ...change, response: latest.text, etag: latest.etag ?? '' })
    },
    decline: ({ kind, version }) => save({ declined: { ...state.declined, [kind]: version } }),
    markNotified: ({ kind, version }) => save({ notified: { ...state.notified, [kind]: version } }),
    pause,
    pauseForRenewal() {
      const isFinished = readUpdateState(folder, state.service).checked !== state.checked
      if (!isFinished) pause({ renewing: true })
    },
    async install(wanted, { quiet = false, signal } = {}) {
      const progress = createProgress(session.out, { quiet, clock: monotonic, tick: startTicking })
      session.shareScreen(progress)
      try {
        const context = { session, service, limits, keys: trustedKeys(settings), progress, signal }
        return await installOffers(wanted, installation.replaceable, context)
      } finally {
        progress.stop()
        save({})
      }
    },
    close: () => service.close(),
  }
}

/** Undefined also for a response that another version of omen stored and this one cannot read. */
function announced({ response }: UpdateState, service: URL): Announcement | undefined {
  if (response === undefined) return undefined
  try {
    return readAnnouncement(response, service)
  } catch {
    return undefined
  }
}

/** Not longer than the interval that the user has configured. */
function retryPause(frequency: bigint, { retry }: Limits): number {
  return Math.min(retry, Number(frequency / 1_000_000n))
}

function installationOf({ env, loaded }: Session): Installation {
  return findInstallation({
    isSingleFile: isSingleFile(),
    execPath: process.execPath,
    script: packagedPath(''),
    env,
    folder: loaded.folder,
  })
}
