import { compareVersions } from '@omen/engine/versions'
import type { Announcement, PackageOffer, ToolFile } from './announcement.js'
import type { Kind, UpdateState } from './update-state.js'

/** What is installed. */
export interface Installed {
  /** The newest community rules: a package, or those that come with the tool. */
  readonly rules: string | undefined
  readonly private: string | undefined
  readonly tool: string
}

/**
 * What an offer is to us: `new`, to be had; `current`, what we have; `older` than what we have, and so refused; `pinned`, not
 * the version that `rulesVersion` stays on; `elsewhere`, not made for this platform.
 */
export type Verdict = 'new' | 'current' | 'older' | 'pinned' | 'elsewhere'

interface Judged {
  readonly version: string
  readonly installed: string | undefined
  readonly verdict: Verdict
  /** Somebody has said no to this version. */
  readonly isDeclined: boolean
  /** Since the last check it was said what to do about it by hand. */
  readonly isTold: boolean
  readonly notes: string | undefined
}

/** Something that the service has, and what that means here. */
export type Offer =
  | (Judged & { readonly kind: 'rules' | 'private'; readonly size: number; readonly offer: PackageOffer })
  | (Judged & { readonly kind: 'tool'; readonly size: number | undefined; readonly offer: ToolFile | undefined })

export interface Judgement {
  readonly installed: Installed
  readonly rulesVersion: string | undefined
  readonly declined?: UpdateState['declined']
  readonly told?: UpdateState['told']
  /** Of the executable that a new one would replace, as `linux-x64`; undefined where the tool is no such file. */
  readonly platform: string | undefined
}

/**
 * Compares what the service has with what is installed.
 *
 * @example
 * const offers = judgeOffers(announcement, { installed, rulesVersion, platform: 'linux-x64' })
 * offers.filter(({ verdict }) => verdict === 'new')
 */
export function judgeOffers({ rules, private: own, tool }: Announcement, judgement: Judgement): readonly Offer[] {
  const offers: Offer[] = []
  if (rules) {
    const { size, notes } = rules
    offers.push({ kind: 'rules', size, notes, offer: rules, ...judge('rules', rules.version, judgement) })
  }
  if (own) {
    const { size, notes } = own
    offers.push({ kind: 'private', size, notes, offer: own, ...judge('private', own.version, judgement) })
  }
  if (tool) {
    const offer = tool.files.find(({ platform }) => platform === judgement.platform)
    const judged = judge('tool', tool.version, judgement)
    const isMissing = judgement.platform !== undefined && !offer
    const verdict = judged.verdict === 'new' && isMissing ? 'elsewhere' : judged.verdict
    offers.push({ kind: 'tool', size: offer?.size, notes: tool.notes, offer, ...judged, verdict })
  }
  return offers
}

function judge(
  kind: Kind,
  version: string,
  { installed, rulesVersion, declined, told }: Judgement,
): Omit<Judged, 'notes'> {
  const here = installed[kind]
  const isDeclined = declined?.[kind] === version
  const verdict = verdictOf(version, here, kind === 'rules' ? rulesVersion : undefined)
  return { version, installed: here, verdict, isDeclined, isTold: told?.[kind] === version }
}

/** Downgrades are never taken, not even to the version that the settings ask for: that one is kept, or comes by hand. */
function verdictOf(version: string, installed: string | undefined, pin: string | undefined): Verdict {
  const order = installed === undefined ? 1 : compareVersions(version, installed)
  if (order === 0) return 'current'
  if (order < 0) return 'older'
  return pin === undefined || pin === version ? 'new' : 'pinned'
}

/** What is remembered of offers: whether a scan has to do anything about them. */
export function newsOf(offers: readonly Offer[]): NonNullable<UpdateState['news']> {
  const fresh = offers.filter(({ verdict }) => verdict === 'new')
  if (fresh.length === 0) return 'none'
  return fresh.every(({ isDeclined, isTold }) => isDeclined || isTold) ? 'declined' : 'some'
}
