import { ask } from '../console/ask.js'
import { errorLine } from '../console/standard-error.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { Listen, Session } from '../session.js'
import { NAMES, noticeFor, questionFor } from './messages.js'
import type { Offer } from './offers.js'
import { createUpdater, type Updater } from './updater.js'

export interface InstallCommand {
  readonly acceptUpdates: boolean
  readonly quiet: boolean
}

/**
 * `omen updates install`: requests the newest versions and installs them. Rules are installed without a question, a new omen after
 * one, or with `-y`. Returns the exit code: 1 if something could not be installed.
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
  const print = (line: string) => {
    if (!quiet) session.out.write(`${sanitize(line)}\n`)
  }
  const updater = createUpdater(session, serviceUrl)
  try {
    await updater.check()
    const offers = updater.offers()
    for (const offer of offers) if (offer.verdict !== 'new') print(describeSkipped(offer))
    if (offers.length === 0) print(`${updater.service.url.host} offers no updates`)
    const updates = offers.filter(({ verdict }) => verdict === 'new')
    const wanted = updates.filter((offer) => isWanted(offer, acceptUpdates || accepts))
    return wanted.length === 0 ? 0 : await installAll(wanted, updater)
  } finally {
    updater.close()
  }

  function isWanted(offer: Offer, accepted: boolean): boolean {
    if (offer.kind !== 'tool') return true
    const { replaceable, command } = updater.installation
    if (replaceable === undefined) {
      print(noticeFor(offer, command(offer.version, offer.offer?.url)))
      return false
    }
    const canAsk = !accepted && !quiet && session.out.isTerminal
    const answer = accepted || (canAsk ? ask(questionFor(offer, session.out.columns), true) : undefined)
    if (answer === undefined) print(noticeFor(offer, 'omen updates install -y'))
    return answer === true
  }

  async function installAll(wanted: readonly Offer[], updater: Updater): Promise<number> {
    const interruption = listen()
    const { signal } = interruption
    const outcomes = await updater.install(wanted, { quiet, signal }).finally(() => interruption.release())
    if (interruption.exitCode !== undefined) return interruption.exitCode
    if ('heldBy' in outcomes) {
      throw new Failure('State', `updates are already being installed ${outcomes.heldBy}: try again later`)
    }
    let code = 0
    for (const outcome of outcomes) {
      if ('done' in outcome) print(outcome.done)
      else {
        code = 1
        session.err.write(errorLine(outcome.failure.kind, outcome.failure.message))
      }
    }
    return code
  }
}

/** Why an offer is not installed. */
function describeSkipped({ kind, version, installed, verdict }: Offer): string {
  const name = `${NAMES[kind]} ${version}`
  if (verdict === 'older') return `Refused ${name}: the installed version ${installed} is newer`
  if (verdict === 'pinned') return `Skipped ${name}: rulesVersion selects another version`
  if (verdict === 'elsewhere') return `Skipped ${name}: it is not available for this platform`
  return `Up to date: ${name}`
}
