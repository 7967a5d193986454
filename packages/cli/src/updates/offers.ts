import { compareVersions } from '@omen/engine/versions'
import { bundledVersion } from '../rules/loading/community-rules.js'
import { findPackages } from '../rules/loading/packages.js'
import { VERSION } from '../version.js'
import type { Announcement, PackageOffer, ToolFile } from './announcement.js'
import type { Kind, UpdateState } from './update-state.js'

/** The installed versions. */
export interface Installed {
  /** The newest community rules: a package, or the rules that come with the tool. */
  readonly rules: string | undefined
  readonly private: string | undefined
  readonly tool: string
}

/**
 * Compares an offer with this installation: `new` can be installed; `current` is installed; `older` than the installed version, and
 * therefore refused; `pinned`, not the version that `rulesVersion` selects; `elsewhere`, not available for this platform.
 */
export type Verdict = 'new' | 'current' | 'older' | 'pinned' | 'elsewhere'

interface Compared {
  readonly version: string
  readonly installed: string | undefined
  readonly verdict: Verdict
  /** The user has declined this version. */
  readonly isDeclined: boolean
  /** Since the last check, the user has seen the command that installs this version. */
  readonly isNotified: boolean
  readonly notes: string | undefined
}

/** A release of the service, and how it compares with this installation. */
export type Offer =
  | (Compared & { readonly kind: 'rules' | 'private'; readonly size: number; readonly offer: PackageOffer })
  | (Compared & { readonly kind: 'tool'; readonly size: number | undefined; readonly offer: ToolFile | undefined })

export interface InstallationState {
  readonly installed: Installed
  readonly rulesVersion: string | undefined
  readonly declined?: UpdateState['declined']
  readonly notified?: UpdateState['notified']
  /** Of the single-file executable, such as `linux-x64`; undefined if the tool is not one. */
  readonly platform: string | undefined
}

/**
 * Compares the releases of the service with this installation.
 *
 * @example
 * const offers = compareOffers(announcement, { installed, rulesVersion, platform: 'linux-x64' })
 * offers.filter(({ verdict }) => verdict === 'new')
 */
export function compareOffers(
  { rules, private: own, tool }: Announcement,
  installation: InstallationState,
): readonly Offer[] {
  const offers: Offer[] = []
  if (rules) {
    const { size, notes } = rules
    offers.push({ kind: 'rules', size, notes, offer: rules, ...compare('rules', rules.version, installation) })
  }
  if (own) {
    const { size, notes } = own
    offers.push({ kind: 'private', size, notes, offer: own, ...compare('private', own.version, installation) })
  }
  if (tool) {
    const offer = tool.files.find(({ platform }) => platform === installation.platform)
    const compared = compare('tool', tool.version, installation)
    const isMissing = installation.platform !== undefined && !offer
    const verdict = compared.verdict === 'new' && isMissing ? 'elsewhere' : compared.verdict
    offers.push({ kind: 'tool', size: offer?.size, notes: tool.notes, offer, ...compared, verdict })
  }
  return offers
}

function compare(
  kind: Kind,
  version: string,
  { installed, rulesVersion, declined, notified }: InstallationState,
): Omit<Compared, 'notes'> {
  const current = installed[kind]
  const isDeclined = declined?.[kind] === version
  const verdict = verdictOf(version, current, kind === 'rules' ? rulesVersion : undefined)
  return { version, installed: current, verdict, isDeclined, isNotified: notified?.[kind] === version }
}

/** Never a downgrade, not even to the version that `rulesVersion` selects. */
function verdictOf(version: string, installed: string | undefined, pin: string | undefined): Verdict {
  const order = installed === undefined ? 1 : compareVersions(version, installed)
  if (order === 0) return 'current'
  if (order < 0) return 'older'
  return pin === undefined || pin === version ? 'new' : 'pinned'
}

/** Whether a later scan has to offer something. */
export function newsOf(offers: readonly Offer[]): NonNullable<UpdateState['news']> {
  const updates = offers.filter(({ verdict }) => verdict === 'new')
  if (updates.length === 0) return 'none'
  return updates.every(({ isDeclined, isNotified }) => isDeclined || isNotified) ? 'declined' : 'some'
}

/**
 * The installed versions: the newest packages in the configuration directory, the bundled rules, the tool.
 *
 * @example
 * installedVersions('/home/ada/.preq') // { rules: '1.4.0', private: undefined, tool: '0.1.0' }
 */
export function installedVersions(folder: string, bundled: string | undefined = bundledVersion()): Installed {
  const [community] = findPackages(folder, 'public')
  const [own] = findPackages(folder, 'private')
  const versions = [community?.version, bundled].filter((version) => version !== undefined)
  return { rules: versions.sort(compareVersions).at(-1), private: own?.version, tool: VERSION }
}
