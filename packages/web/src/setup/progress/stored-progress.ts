import { isRecord } from '../../api/failure.js'
import { isProviderId } from '../providers/providers.js'
import { isStep, type Progress, reachable, START, type Transaction } from './progress.js'

/** The number changes when what is kept changes its shape. */
const KEY = 'omen.setup.1'

/** Opens the part of `sessionStorage` that is used: of this tab alone, and gone with it. It may throw, where it is forbidden. */
export type OpenDrawer = () => Pick<Storage, 'getItem' | 'setItem'>

/**
 * Puts the progress where a reload finds it. A browser that keeps nothing is no reason to stop.
 *
 * @example
 * keepProgress(() => sessionStorage, progress)
 */
export function keepProgress(open: OpenDrawer, progress: Progress): void {
  try {
    open().setItem(KEY, JSON.stringify(progress))
  } catch {
    // Full, or forbidden: the page works, and a reload begins anew.
  }
}

/**
 * Finds the progress again. What is kept may be of another version or tampered with, so every field is looked at.
 *
 * @example
 * const progress = findProgress(() => sessionStorage)
 */
export function findProgress(open: OpenDrawer): Progress {
  try {
    return readProgress(JSON.parse(open().getItem(KEY) ?? 'null'))
  } catch {
    return START
  }
}

function readProgress(kept: unknown): Progress {
  if (!isRecord(kept)) return START
  const progress: Progress = {
    step: isStep(kept.step) ? kept.step : START.step,
    code: text(kept.code),
    token: text(kept.token),
    providerId: isProviderId(kept.providerId) ? kept.providerId : '',
    blanks: texts(kept.blanks),
    wellKnownUrls: texts(kept.wellKnownUrls),
    domain: text(kept.domain),
    orgName: text(kept.orgName),
    transaction: readTransaction(kept.transaction),
    ticked: Array.isArray(kept.ticked) ? kept.ticked.filter((setting) => typeof setting === 'string') : [],
    clientId: text(kept.clientId),
    testedClientId: text(kept.testedClientId),
    completion: readCompletion(kept.completion),
    superseded: kept.superseded === true,
  }
  return { ...progress, step: reachable(progress.step, progress) }
}

function readTransaction(kept: unknown): Transaction | undefined {
  if (!isRecord(kept) || typeof kept.id !== 'string' || typeof kept.signInUri !== 'string') return undefined
  return typeof kept.expiresAt === 'number'
    ? { id: kept.id, signInUri: kept.signInUri, expiresAt: kept.expiresAt }
    : undefined
}

function readCompletion(kept: unknown): Progress['completion'] {
  return isRecord(kept) && typeof kept.login_url === 'string' && typeof kept.app_url === 'string'
    ? { login_url: kept.login_url, app_url: kept.app_url }
    : undefined
}

function text(kept: unknown): string {
  return typeof kept === 'string' ? kept : ''
}

function texts(kept: unknown): Readonly<Record<string, string>> {
  if (!isRecord(kept)) return {}
  return Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
