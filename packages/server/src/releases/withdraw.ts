import { recordAudit } from '../audit/audit.js'
import { Problem } from '../problem.js'
import {
  findRelease,
  lockReleases,
  markWithdrawn,
  type ReleaseKind,
  type StoredRelease,
} from '../store/releases/releases.js'
import type { ReleaseParts } from './parts.js'

export interface Withdrawal {
  readonly kind: ReleaseKind
  readonly organization: { readonly id: string; readonly name: string } | undefined
  readonly version: string
  readonly actor: string
}

/** Withdraws a version: it is no longer offered, and its number stays taken. Again does no harm. */
export function withdraw(
  { database, clock }: Pick<ReleaseParts, 'database' | 'clock'>,
  { kind, organization, version, actor }: Withdrawal,
): Promise<StoredRelease> {
  return database.transaction(async (queries) => {
    await lockReleases(queries)
    const channel = { kind, organizationId: organization?.id }
    const known = await findRelease(queries, channel, version)
    if (!known) {
      throw new Problem('not_found', `There is no version ${JSON.stringify(version)}. See: omen-server ${kind} list`)
    }
    if (known.withdrawnAt) return known
    const now = clock()
    await markWithdrawn(queries, known.id, now)
    await recordAudit(queries, {
      at: now,
      actor,
      action: kind === 'rules' ? 'rules.withdrawn' : 'tool.withdrawn',
      ...(organization && { org: organization.name }),
      detail: { version },
    })
    return (await findRelease(queries, channel, version))!
  })
}
