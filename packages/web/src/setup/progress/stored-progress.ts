import { arrayOf, integer, isRecord, shape, string } from '../../api/shape.js'
import { readConnectedUrls } from '../client.js'
import { isProviderId } from '../providers/providers.js'
import { isStep, type Progress, reachableStep, START } from './progress.js'

/** The number has to change when stored values can no longer be read. */
const KEY = 'omen.setup.1'

/** Opens `sessionStorage`, which belongs to one tab. Throws where the browser forbids it. */
export type OpenStorage = () => Pick<Storage, 'getItem' | 'setItem'>

/**
 * Stores the progress for the next load of the page, if the browser allows it.
 *
 * @example
 * saveProgress(() => sessionStorage, progress)
 */
export function saveProgress(open: OpenStorage, progress: Progress): void {
  try {
    open().setItem(KEY, JSON.stringify(progress))
  } catch {
    // Full or forbidden: the page works, but a reload starts over.
  }
}

/**
 * Loads the stored progress. It may be of another version or tampered with, so every field is checked.
 *
 * @example
 * const progress = loadProgress(() => sessionStorage)
 */
export function loadProgress(open: OpenStorage): Progress {
  try {
    return readProgress(JSON.parse(open().getItem(KEY) ?? 'null'))
  } catch {
    return START
  }
}

const readTransaction = shape({ id: string, signInUri: string, expiresAt: integer })

function readProgress(stored: unknown): Progress {
  if (!isRecord(stored)) return START
  const progress: Progress = {
    step: isStep(stored.step) ? stored.step : START.step,
    code: string(stored.code) ?? '',
    token: string(stored.token) ?? '',
    providerId: isProviderId(stored.providerId) ? stored.providerId : '',
    placeholders: stringsOf(stored.placeholders),
    wellKnownUrls: stringsOf(stored.wellKnownUrls),
    domain: string(stored.domain) ?? '',
    orgName: string(stored.orgName) ?? '',
    transaction: readTransaction(stored.transaction),
    ticked: arrayOf(string)(stored.ticked) ?? [],
    clientId: string(stored.clientId) ?? '',
    testedClientId: string(stored.testedClientId) ?? '',
    completion: readConnectedUrls(stored.completion),
    superseded: stored.superseded === true,
  }
  return { ...progress, step: reachableStep(progress.step, progress) }
}

function stringsOf(stored: unknown): Readonly<Record<string, string>> {
  if (!isRecord(stored)) return {}
  return Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
