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
import { installedVersions } from './installed.js'
import { LIMITS } from './limits.js'
import type { Offer } from './offers.js'
import type { UpdateState } from './update-state.js'
import { createUpdater, type Updater, type UpdaterTools } from './updater.js'
import { NAMES, noticeOf, questionFor } from './words.js'

export interface ScanRequest {
  readonly service: string
  readonly state: UpdateState
  /** Whether it is time to ask the service. */
  readonly isDue: boolean
  /** `-y`, or the settings say so. */
  readonly accepts: boolean
  readonly options: Pick<CommonOptions, 'quiet' | 'disabled'>
  readonly session: Session
}

export interface ScanTools extends UpdaterTools {
  /** Asks somebody on the terminal; undefined when nobody answers. */
  readonly ask?: (question: string) => boolean | undefined
}

/**
 * Starts what a scan does about updates. The check runs while the scan gets ready; it is waited for as long as `Limits.wait`
 * says, counted from here, and what it answers later is for the next run. Whatever fails is a warning: the scan goes on with
 * the rules that are there.
 *
 * @example
 * const updates = startScanUpdates(request)
 * await updates.decide()
 * await updates.take(signal)
 */
export function startScanUpdates(request: ScanRequest, tools: ScanTools = {}): ScanUpdates {
  const { session, isDue } = request
  const { limits = LIMITS } = tools
  const tokens = tools.tokens ?? openTokens(session, new URL(request.service), { inBackground: true })
  const updater = createUpdater(session, request.service, { ...tools, tokens, state: request.state })
  const startedAt = monotonic()
  const leaving = new AbortController()
  let accepted: readonly Offer[] = []
  let isAnswered = !isDue
  const checking = isDue ? check() : undefined

  async function check(): Promise<void> {
    try {
      await updater.check(leaving.signal)
      session.log.debug(here(), 'update check answered', { service: updater.service.url.host })
    } catch (error) {
      // Whatever it is, also a mistake of ours: the scan is what was asked for.
      if (!leaving.signal.aborted) giveUp((error as Error).message)
    } finally {
      isAnswered = true
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
      if (checking) await forAWhile(checking, limit - (monotonic() - startedAt))
      accepted = chooseOffers(updater, request, tools)
    },
    async take(signal) {
      if (accepted.length > 0) await takeOffers(accepted, updater, request, signal)
    },
    async end() {
      if (!isAnswered) {
        const { isRenewing, service } = updater
        leaving.abort()
        if (!isRenewing) giveUp(`${service.url.host}: it did not respond in time`)
        else {
          // That is no trouble, unless the one before came to nothing.
          if (request.state.renewing) session.warn(`updates: ${service.url.host}: ${NOT_RENEWED}`)
          updater.leaveAside()
        }
      }
      updater.close()
    },
  }
}

const NOT_RENEWED = 'the sign-in could not be renewed: run omen whoami to see why'

/** Waits for something, but not longer than so many milliseconds. */
async function forAWhile(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, milliseconds))
  })
  await Promise.race([work, over])
  clearTimeout(timer)
}

/** What is to be installed: asks where somebody can be asked, and says what there is where nobody can. */
function chooseOffers(updater: Updater, request: ScanRequest, tools: ScanTools): readonly Offer[] {
  const { session, options, accepts } = request
  const { folder } = session.loaded
  const chosen: Offer[] = []
  const say = (line: string) => {
    if (!options.quiet) session.out.write(`${sanitize(line)}\n`)
  }
  for (const offer of updater.offers()) {
    if (!isForThisRun(offer, request)) continue
    const command = commandFor(offer, updater)
    if (command !== undefined) {
      // Whoever cannot do it now would read it before every report.
      if (!offer.isTold) say(noticeOf(offer, command))
      if (!offer.isTold && !options.quiet) updater.tell(offer)
    } else if (offer.kind !== 'tool' && !canKeep(folder)) say(noticeOf(offer, `${folder} cannot be written to`))
    else if (accepts) chosen.push(offer)
    else {
      const answer = askAbout(offer, request, tools)
      if (answer === true) chosen.push(offer)
      else if (answer === false) updater.decline(offer)
      else say(noticeOf(offer, `omen updates install${offer.kind === 'tool' ? ' -y' : ''}`))
    }
  }
  return chosen
}

function isForThisRun({ kind, verdict, version, installed, isDeclined }: Offer, request: ScanRequest): boolean {
  const { session, options, accepts } = request
  if (verdict === 'older')
    session.log.info(here(), 'an older release is refused', { kind: NAMES[kind], version, installed })
  const isUnused = kind === 'rules' && (options.disabled || session.loaded.settings.disableCommunityRules)
  return verdict === 'new' && !isUnused && (accepts || !isDeclined)
}

/** What has to be run by hand. */
function commandFor(offer: Offer, { installation }: Updater): string | undefined {
  if (offer.kind !== 'tool' || installation.replaceable !== undefined) return undefined
  return installation.command(offer.version, offer.offer?.url)
}

function askAbout(offer: Offer, { session, options }: ScanRequest, tools: ScanTools): boolean | undefined {
  if (options.quiet || !session.out.isTerminal) return undefined
  const question = questionFor(offer, session.out.columns)
  return tools.ask ? tools.ask(question) : ask(question, true)
}

/** A folder that is not there yet can be made, or the attempt says why not. */
function canKeep(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

async function takeOffers(
  accepted: readonly Offer[],
  updater: Updater,
  { session, options: { quiet } }: ScanRequest,
  signal: AbortSignal,
): Promise<void> {
  try {
    const outcomes = await updater.install(accepted, { quiet, signal })
    if ('heldBy' in outcomes) {
      session.log.info(here(), 'another process installs updates', { process: outcomes.heldBy })
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
    // Whoever interrupts it knows why it did not work.
    if (!signal.aborted) session.warn(message)
  }
}
