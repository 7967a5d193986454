import { ask } from '../console/ask.js'
import { errorLine } from '../console/standard-error.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { Listen, Session } from '../session.js'
import type { Offer } from './offers.js'
import { createUpdater, type Updater } from './updater.js'
import { NAMES, noticeOf, questionFor } from './words.js'

export interface InstallCommand {
  readonly acceptUpdates: boolean
  readonly quiet: boolean
}

/**
 * `omen updates install`: asks the service what is newest and installs it, now. Rules are installed without asking: that is
 * what the command is for. A new omen is asked about, or installed with `-y`. Returns the exit code: 1 when something that was
 * to be installed could not be.
 *
 * @example
 * await install({ acceptUpdates: false, quiet: false }, session, listen) // Installed rules 1.4.0
 */
export async function install(
  { acceptUpdates, quiet }: InstallCommand,
  session: Session,
  listen: Listen,
): Promise<number> {
  const { serviceUrl, acceptUpdates: accepts } = session.loaded.settings
  if (serviceUrl === undefined) {
    throw new Failure('Config', 'no service is configured: run omen updates trust <service url>')
  }
  const say = (line: string) => {
    if (!quiet) session.out.write(`${sanitize(line)}\n`)
  }
  const updater = createUpdater(session, serviceUrl)
  try {
    await updater.check()
    const offers = updater.offers()
    for (const offer of offers) if (offer.verdict !== 'new') say(reasonAgainst(offer))
    if (offers.length === 0) say(`${updater.service.url.host} offers nothing`)
    const fresh = offers.filter(({ verdict }) => verdict === 'new')
    const wanted = fresh.filter((offer) => isWanted(offer, acceptUpdates || accepts))
    return wanted.length === 0 ? 0 : await installAll(wanted, updater)
  } finally {
    updater.close()
  }

  function isWanted(offer: Offer, accepted: boolean): boolean {
    if (offer.kind !== 'tool') return true
    const { replaceable, command } = updater.installation
    if (replaceable === undefined) {
      say(noticeOf(offer, command(offer.version, offer.offer?.url)))
      return false
    }
    const canAsk = !accepted && !quiet && session.out.isTerminal
    const answer = accepted || (canAsk ? ask(questionFor(offer, session.out.columns), true) : undefined)
    if (answer === undefined) say(noticeOf(offer, 'omen updates install -y'))
    return answer === true
  }

  async function installAll(wanted: readonly Offer[], updater: Updater): Promise<number> {
    const interruption = listen()
    const { signal } = interruption
    const outcomes = await updater.install(wanted, { quiet, signal }).finally(() => interruption.release())
    if (interruption.exitCode !== undefined) return interruption.exitCode
    if ('heldBy' in outcomes) {
      throw new Failure('State', `updates are being installed ${outcomes.heldBy}: try again when it is done`)
    }
    let code = 0
    for (const outcome of outcomes) {
      if ('done' in outcome) say(outcome.done)
      else {
        code = 1
        session.err.write(errorLine(outcome.failure.kind, outcome.failure.message))
      }
    }
    return code
  }
}

/** Why an offer is not installed. */
function reasonAgainst({ kind, version, installed, verdict }: Offer): string {
  const name = `${NAMES[kind]} ${version}`
  if (verdict === 'older') return `Refused ${name}: ${installed} is installed, and is newer`
  if (verdict === 'pinned') return `Left out ${name}: rulesVersion stays on another version`
  if (verdict === 'elsewhere') return `Left out ${name}: there is none for this platform`
  return `Up to date: ${name}`
}
