import type { TokenSource } from '../account/token-source.js'
import { openTokens } from '../account/token-source.js'
import { monotonic, startTicking } from '../console/clock.js'
import { createProgress } from '../console/progress/progress.js'
import { isSingleFile, packagedPath } from '../packaged/files.js'
import type { Session } from '../session.js'
import { maskPassword } from '../settings/mask-url.js'
import { type Announcement, readAnnouncement } from './announcement.js'
import { judgedBy } from './begin-updates.js'
import { type Busy, installOffers, type Outcome } from './install-offers.js'
import { findInstallation, type Installation } from './install-tool.js'
import { installedVersions } from './installed.js'
import { LIMITS, type Limits } from './limits.js'
import { judgeOffers, newsOf, type Offer } from './offers.js'
import { openService, type Service } from './service.js'
import { trustedKeys } from './trusted-keys.js'
import { readUpdateState, type UpdateState, writeUpdateState } from './update-state.js'

/** What the service has, what is installed, and what to do about it. */
export interface Updater {
  readonly service: Service
  readonly installation: Installation
  readonly state: UpdateState
  /** Whether the service cannot be asked because the sign-in is being renewed. */
  readonly isRenewing: boolean
  /** Asks the service, and remembers the answer. Rejects with a `Failure`. */
  check(signal?: AbortSignal): Promise<void>
  /** The last answer, judged by what is installed now; nothing where there never was one. */
  offers(): readonly Offer[]
  /** Remembers that somebody said no. */
  decline(offer: Offer): void
  /** Remembers that somebody was told what to do by hand: until the next check that is enough. */
  tell(offer: Offer): void
  /** Something failed: leaves the service alone for a while, and asks it anew then. */
  pause(): void
  /** The same where a process of its own renews the sign-in and asks: unless that has answered already. */
  leaveAside(): void
  install(
    offers: readonly Offer[],
    options?: { quiet?: boolean; signal?: AbortSignal },
  ): Promise<readonly Outcome[] | Busy>
  close(): void
}

export interface UpdaterTools {
  readonly limits?: Limits
  readonly installation?: Installation
  /** What was read already. */
  readonly state?: UpdateState
  /** Where the tokens of the service come from. */
  readonly tokens?: TokenSource | undefined
}

/**
 * Brings together what updates need.
 *
 * @example
 * const updater = createUpdater(session, 'https://omen.example.com')
 * await updater.check()
 * updater.offers().filter(({ verdict }) => verdict === 'new')
 */
export function createUpdater(session: Session, url: string, tools: UpdaterTools = {}): Updater {
  const { env, loaded } = session
  const { folder, settings } = loaded
  const { limits = LIMITS } = tools
  const installation = tools.installation ?? installationOf(session)
  const tokens = tools.tokens ?? openTokens(session, new URL(url))
  const service = openService({ url, tokens, env, limits })
  let state = tools.state ?? readUpdateState(folder, maskPassword(url))

  function save(change: Partial<UpdateState>): void {
    state = { ...state, ...change }
    state = { ...state, news: newsOf(offers()), judgedBy: judgedBy(settings) }
    writeUpdateState(folder, state)
  }

  function pause(change: Partial<UpdateState> = {}): void {
    const retryAt = session.now.getTime() + pauseOf(settings.updateFrequency, limits)
    save({ doubtful: true, retryAt, ...change })
  }

  function offers(): readonly Offer[] {
    const announcement = announced(state, service.url)
    if (announcement === undefined) return []
    const { rulesVersion } = settings
    const platform = isSingleFile() ? `${process.platform}-${process.arch}` : undefined
    const installed = installedVersions(folder)
    const { declined, told } = state
    return judgeOffers(announcement, { installed, rulesVersion, declined, told, platform })
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
      const kept = announced(state, service.url) === undefined ? undefined : state.etag
      const latest = await service.latest(kept, signal)
      const checked = session.now.getTime()
      const fresh = { checked, retryAt: 0, doubtful: false, renewing: false, told: {} }
      if (latest === 'unchanged') return save(fresh)
      readAnnouncement(latest.text, service.url)
      save({ ...fresh, answer: latest.text, etag: latest.etag ?? '' })
    },
    decline: ({ kind, version }) => save({ declined: { ...state.declined, [kind]: version } }),
    tell: ({ kind, version }) => save({ told: { ...state.told, [kind]: version } }),
    pause,
    leaveAside() {
      const isAnswered = readUpdateState(folder, state.service).checked !== state.checked
      if (!isAnswered) pause({ renewing: true })
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

/** A kept answer that cannot be read, because an older or newer omen wrote it, is none. */
function announced({ answer }: UpdateState, service: URL): Announcement | undefined {
  if (answer === undefined) return undefined
  try {
    return readAnnouncement(answer, service)
  } catch {
    return undefined
  }
}

/** Whoever looks more often than that does so for a reason. */
function pauseOf(frequency: bigint, { retry }: Limits): number {
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
