import { join } from 'node:path'
import { Failure } from '../failure.js'
import { takeLock } from '../file-lock.js'
import { makeFolder } from '../make-folder.js'
import { explainWriteError } from '../output/write-failure.js'
import { removeLeftovers } from './clean-up.js'
import type { InstallContext } from './context.js'
import { installPackage } from './install-package.js'
import { installTool } from './install-tool.js'
import { installedVersions } from './installed.js'
import type { Offer } from './offers.js'
import { doneWith } from './words.js'

/** What became of an offer: what was done, or why not. */
export type Outcome =
  | { readonly offer: Offer; readonly done: string }
  | { readonly offer: Offer; readonly failure: Failure }

/** Another process is installing: its pid, as far as it is known. */
export interface Busy {
  readonly heldBy: string
}

const LOCK_FILE = 'updates.lock'

/**
 * Installs what is offered, one after the other; what fails does not keep the rest from being installed. One process at a time
 * does it: of two, the other goes on with what is there. Rejects with a `Failure` when the configuration directory cannot be
 * written to.
 *
 * @example
 * const outcomes = await installOffers(offers, undefined, context)
 */
export async function installOffers(
  offers: readonly Offer[],
  executable: string | undefined,
  context: InstallContext,
): Promise<readonly Outcome[] | Busy> {
  const { folder } = context.session.loaded
  const lock = lockIn(folder)
  if ('heldBy' in lock) return lock
  try {
    removeLeftovers(
      folder,
      offers.flatMap(({ kind, offer }) => (kind === 'tool' || !offer ? [] : [offer.file])),
    )
    const outcomes: Outcome[] = []
    for (const offer of offers) outcomes.push(await attempt(offer, executable, context))
    return outcomes
  } finally {
    lock.release()
  }
}

function lockIn(folder: string): ReturnType<typeof takeLock> {
  try {
    makeFolder(folder)
    return takeLock(join(folder, LOCK_FILE))
  } catch (error) {
    throw explainWriteError(folder, error)
  }
}

async function attempt(offer: Offer, executable: string | undefined, context: InstallContext): Promise<Outcome> {
  try {
    return { offer, done: await install(offer, executable, context) }
  } catch (error) {
    // What the file system refuses is told as such, wherever on the way it does.
    const failure = explainWriteError(context.session.loaded.folder, error)
    if (!(failure instanceof Failure)) throw error
    return { offer, failure }
  }
}

async function install(offer: Offer, executable: string | undefined, context: InstallContext): Promise<string> {
  if (offer.kind === 'tool') {
    if (!executable || !offer.offer) throw new Failure('Output', `omen ${offer.version} cannot be installed here`)
    return doneWith(offer, await installTool(executable, offer.version, offer.offer, context))
  }
  // Whoever held the lock before may have installed the very same.
  const isThere = installedVersions(context.session.loaded.folder)[offer.kind] === offer.version
  if (!isThere) await installPackage(offer.kind === 'rules' ? 'public' : 'private', offer.offer, context)
  return doneWith(offer, undefined)
}
