import { accessSync, constants } from 'node:fs'
import { openTokens } from '../account/token-source.js'
import type { CommonOptions } from '../command-line/command.js'
import { ask } from '../console/ask.js'
import { monotonic } from '../console/clock.js'
import { here } from '../console/log.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { Session } from '../session.js'
import type { ScanUpdates } from './begin-updates.js'
import { NAMES, noticeFor, questionFor } from './messages.js'
import { installedVersions, type Offer } from './offers.js'
import { LIMITS } from './service.js'
import type { UpdateState } from './update-state.js'
import { createUpdater, type Updater, type UpdaterDeps } from './updater.js'

export interface ScanRequest {
  readonly service: string
  readonly state: UpdateState
  /** Whether it is time for a check. */
  readonly isDue: boolean
  /** Whether updates are installed without a question: `-y`, or the settings. */
  readonly accepts: boolean
  readonly options: Pick<CommonOptions, 'quiet' | 'disabled'>
  readonly session: Session
}

export interface ScanDeps extends UpdaterDeps {
  /** Asks the user on the terminal; undefined without an answer. */
  readonly ask?: (question: string) => boolean | undefined
}

/**
 * Starts the check for updates of a scan. The scan waits for it at most `Limits.wait` from here; a later response is used by the next
 * run. A failure is a warning: the scan continues with the installed rules.
 *
 * @example
 * const updates = startScanUpdates(request)
 * await updates.decide()
 * await updates.install(signal)
 */
export function startScanUpdates(request: ScanRequest, deps: ScanDeps = {}): ScanUpdates {
  const { session, isDue } = request
  const { limits = LIMITS } = deps
  const tokens = deps.tokens ?? openTokens(session, new URL(request.service), { inBackground: true })
  const updater = createUpdater(session, request.service, { ...deps, tokens, state: request.state })
  const startedAt = monotonic()
  const aborting = new AbortController()
  let accepted: readonly Offer[] = []
  let isFinished = !isDue
  const checking = isDue ? check() : undefined

  async function check(): Promise<void> {
    try {
      await updater.check(aborting.signal)
      session.log.debug(here(), 'update check finished', { service: updater.service.url.host })
    } catch (error) {
      // No error, not even a bug in omen, may stop the scan.
      if (!aborting.signal.aborted) giveUp((error as Error).message)
    } finally {
      isFinished = true
    }
  }

  function giveUp(reason: string): void {
    updater.pause()
    session.warn(`updates: ${reason}`)
  }

  return {
    async decide() {
      const { rules } = installedVersions(session.loaded.folder)
      const limit = rules === undefined ? limits.waitWithoutRules : limits.wait
      if (checking) await waitAtMost(checking, limit - (monotonic() - startedAt))
      accepted = chooseOffers(updater, request, deps)
    },
    async install(signal) {
      if (accepted.length > 0) await installAccepted(accepted, updater, request, signal)
    },
    async end() {
      if (!isFinished) {
        const { isRenewing, service } = updater
        aborting.abort()
        if (!isRenewing) giveUp(`${service.url.host}: it did not respond in time`)
        else {
          // A renewal may take longer than a scan. If the previous one did not succeed either, the user must know.
          if (request.state.renewing) session.warn(`updates: ${service.url.host}: ${NOT_RENEWED}`)
          updater.pauseForRenewal()
        }
      }
      updater.close()
    },
  }
}

const NOT_RENEWED = 'the sign-in could not be renewed: run omen whoami to see why'

async function waitAtMost(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, milliseconds))
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}

/** The offers to install. Asks the user on a terminal; without one, prints what is available. */
function chooseOffers(updater: Updater, request: ScanRequest, deps: ScanDeps): readonly Offer[] {
  const { session, options, accepts } = request
  const { folder } = session.loaded
  const chosen: Offer[] = []
  const print = (line: string) => {
    if (!options.quiet) session.out.write(`${sanitize(line)}\n`)
  }
  for (const offer of updater.offers()) {
    if (!isForThisRun(offer, request)) continue
    const command = commandFor(offer, updater)
    if (command !== undefined) {
      // Shown once: a user who cannot run the command now would see it before every report.
      if (!offer.isNotified) print(noticeFor(offer, command))
      if (!offer.isNotified && !options.quiet) updater.markNotified(offer)
    } else if (offer.kind !== 'tool' && !isWritable(folder)) print(noticeFor(offer, `${folder} is not writable`))
    else if (accepts) chosen.push(offer)
    else {
      const answer = askAbout(offer, request, deps)
      if (answer === true) chosen.push(offer)
      else if (answer === false) updater.decline(offer)
      else print(noticeFor(offer, `omen updates install${offer.kind === 'tool' ? ' -y' : ''}`))
    }
  }
  return chosen
}

function isForThisRun({ kind, verdict, version, installed, isDeclined }: Offer, request: ScanRequest): boolean {
  const { session, options, accepts } = request
  if (verdict === 'older')
    session.log.info(here(), 'refused an older release', { kind: NAMES[kind], version, installed })
  const isUnused = kind === 'rules' && (options.disabled || session.loaded.settings.disableCommunityRules)
  return verdict === 'new' && !isUnused && (accepts || !isDeclined)
}

/** The command that the user must run; undefined if omen can install the update. */
function commandFor(offer: Offer, { installation }: Updater): string | undefined {
  if (offer.kind !== 'tool' || installation.replaceable !== undefined) return undefined
  return installation.command(offer.version, offer.offer?.url)
}

function askAbout(offer: Offer, { session, options }: ScanRequest, deps: ScanDeps): boolean | undefined {
  if (options.quiet || !session.out.isTerminal) return undefined
  const question = questionFor(offer, session.out.columns)
  return deps.ask ? deps.ask(question) : ask(question, true)
}

/** True also for a folder that does not exist: the installation creates it, or reports why it cannot. */
function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

async function installAccepted(
  accepted: readonly Offer[],
  updater: Updater,
  { session, options: { quiet } }: ScanRequest,
  signal: AbortSignal,
): Promise<void> {
  try {
    const outcomes = await updater.install(accepted, { quiet, signal })
    if ('heldBy' in outcomes) {
      session.log.info(here(), 'another process is installing updates', { process: outcomes.heldBy })
      return
    }
    for (const outcome of outcomes) {
      if ('failure' in outcome) fail(outcome.failure)
      else if (!quiet) session.out.write(`${sanitize(outcome.done)}\n`)
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    fail(error)
  }

  function fail({ message }: Failure): void {
    updater.pause()
    // After an interruption the user knows why it failed.
    if (!signal.aborted) session.warn(message)
  }
}
