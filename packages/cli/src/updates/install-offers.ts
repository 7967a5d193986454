import { join } from 'node:path'
import type { Progress } from '../console/progress/progress.js'
import { Failure } from '../failure.js'
import { takeLock } from '../file-lock.js'
import { makeFolder } from '../make-folder.js'
import { explainWriteError } from '../output/write-failure.js'
import type { Session } from '../session.js'
import { removeLeftovers } from './clean-up.js'
import { installPackage } from './install-package.js'
import { installTool } from './install-tool.js'
import { installedMessage } from './messages.js'
import { installedVersions, type Offer } from './offers.js'
import type { ReleaseKey } from './release-keys.js'
import type { Limits, Service } from './service.js'

/** What an installation needs. */
export interface InstallContext {
  readonly session: Pick<Session, 'loaded' | 'env' | 'log'>
  readonly service: Service
  readonly limits: Limits
  readonly keys: readonly ReleaseKey[]
  /** Shows the download. */
  readonly progress: Pick<Progress, 'stage'>
  /** Aborts the installation. */
  readonly signal?: AbortSignal | undefined
}

/** The result of an offer: what was done, or why it failed. */
export type Outcome =
  | { readonly offer: Offer; readonly done: string }
  | { readonly offer: Offer; readonly failure: Failure }

/** Another process is installing: `by process 4711`, or empty. */
export interface Busy {
  readonly heldBy: string
}

const LOCK_FILE = 'updates.lock'

/**
 * Installs offers one after the other; if one fails, the others are still installed. Only one process at a time installs: another
 * one continues without it. Rejects with a `Failure` if the configuration directory is not writable.
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
    // Any error of the file system becomes a `Failure`.
    const failure = explainWriteError(context.session.loaded.folder, error)
    if (!(failure instanceof Failure)) throw error
    return { offer, failure }
  }
}

async function install(offer: Offer, executable: string | undefined, context: InstallContext): Promise<string> {
  if (offer.kind === 'tool') {
    if (!executable || !offer.offer) throw new Failure('Output', `omen ${offer.version} cannot be installed here`)
    return installedMessage(offer, await installTool(executable, offer.version, offer.offer, context))
  }
  // Another process may have installed it before this one got the lock.
  const isInstalled = installedVersions(context.session.loaded.folder)[offer.kind] === offer.version
  if (!isInstalled) await installPackage(offer.kind === 'rules' ? 'public' : 'private', offer.offer, context)
  return installedMessage(offer, undefined)
}
