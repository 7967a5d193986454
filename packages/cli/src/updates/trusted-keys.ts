import { Failure } from '../failure.js'
import { readPackaged } from '../packaged/files.js'
import type { Settings } from '../settings/settings.js'
import { type ReleaseKey, readReleaseKeys } from './release-keys.js'

/** Comes with the tool, where whoever built it has a key of their own. */
const PACKAGED_KEYS = 'release-keys.pem'

/**
 * The keys that releases must be signed with: those of `updates.publicKeys`, else those that come with the tool. Throws a
 * `Failure` that says how to get one where there is none.
 *
 * @example
 * trustedKeys(settings).map(({ fingerprint }) => fingerprint)
 */
export function trustedKeys({
  publicKeys,
  serviceUrl,
}: Pick<Settings, 'publicKeys' | 'serviceUrl'>): readonly ReleaseKey[] {
  const keys = readReleaseKeys(publicKeys.length > 0 ? publicKeys : packagedKeys())
  if (keys.length > 0) return keys
  throw new Failure('Config', `no key to check updates with: run omen updates trust ${shownUrl(serviceUrl)}`)
}

function packagedKeys(): readonly string[] {
  try {
    return [readPackaged(PACKAGED_KEYS).toString()]
  } catch {
    return []
  }
}

/** Without a name and password. */
function shownUrl(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return '<service url>'
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
