import { randomUUID } from 'node:crypto'
import { sortKeyOf } from '@omen/engine/versions'
import { recordAudit } from '../audit/audit.js'
import { Problem } from '../problem.js'
import type { Queries } from '../store/database.js'
import { holdOrganization } from '../store/organizations/organizations.js'
import { findCurrentReleaseKeys } from '../store/releases/release-keys.js'
import {
  type Channel,
  findNewestRelease,
  findRelease,
  insertRelease,
  lockReleases,
  markWithdrawn,
  type ReleaseKind,
  renewRelease,
  type StoredFile,
  type StoredRelease,
  saveReleaseFile,
} from '../store/releases/releases.js'
import { type ExaminedFile, noSuchSigner } from './examine.js'
import type { ReleaseDeps } from './uploads.js'
import { discardUpload } from './uploads.js'

export interface Publication {
  readonly kind: ReleaseKind
  readonly organization: { readonly id: string; readonly name: string } | undefined
  readonly version: string
  readonly files: readonly ExaminedFile[]
  /** What is new; the earlier notes, or none, without it. */
  readonly notes: string | undefined
  /** Whether it may be older than the newest. */
  readonly backport: boolean
  readonly actor: string
  readonly detail?: Readonly<Record<string, string>>
}

/** The outcome: a version that exists with the same bytes and signatures stays unchanged. */
export interface Published {
  readonly outcome: 'published' | 'unchanged'
  readonly release: StoredRelease
}

/**
 * Publishes files that were examined: all of them with their audit record in one transaction, or none. A version is published
 * once; the same bytes again change nothing, or replace the signature, or restore a withdrawn version.
 *
 * @example
 * await publish(deps, { kind: 'rules', organization: undefined, version: '1.4.0', files: [examined], … })
 */
export async function publish({ database, clock }: ReleaseDeps, publication: Publication): Promise<Published> {
  try {
    return await database.transaction((queries) => commit(queries, publication, clock()))
  } finally {
    // An upload that became part of a release stays.
    for (const { upload } of publication.files) await discardUpload(database, upload)
  }
}

async function commit(queries: Queries, publication: Publication, now: Date): Promise<Published> {
  const { kind, organization, version } = publication
  const channel: Channel = { kind, organizationId: organization?.id }
  await lockReleases(queries)
  if (organization && !(await holdOrganization(queries, organization.id))) throw goneOrganization(organization.name)
  await checkSigners(queries, publication)
  const known = await findRelease(queries, channel, version)
  if (known) refuseOtherBytes(known, publication)
  if (known && isUnchanged(known, publication)) return { outcome: 'unchanged', release: known }
  if (!known || known.withdrawnAt) await refuseOutdated(queries, channel, publication)
  const id = known?.id ?? randomUUID()
  const notes = publication.notes ?? known?.notes ?? ''
  if (known) await renewRelease(queries, id, notes)
  else {
    const precedence = sortKeyOf(version)
    await insertRelease(queries, { ...channel, id, version, precedence, notes, publishedAt: now })
  }
  for (const file of publication.files) await saveReleaseFile(queries, placed(file, id, known))
  await record(queries, publication, now)
  return { outcome: 'published', release: (await findRelease(queries, channel, version))! }
}

/** A key may have been retired since the signature was verified. */
async function checkSigners(queries: Queries, { organization, files }: Publication): Promise<void> {
  const keys = await findCurrentReleaseKeys(queries, organization?.id)
  for (const { name, keyId } of files) {
    if (!keys.some(({ id }) => id === keyId)) throw noSuchSigner(name, keys)
  }
}

/** The stored form of a file: bytes that exist already are kept. */
function placed(file: ExaminedFile, releaseId: string, known: StoredRelease | undefined): StoredFile {
  const before = known?.files.find(({ name }) => name === file.name)
  const { upload, ...rest } = file
  return { ...rest, id: before?.id ?? randomUUID(), releaseId, blobId: before?.blobId ?? upload }
}

function refuseOtherBytes(known: StoredRelease, { kind, version, files }: Publication): void {
  for (const file of files) {
    // A version of the rules is one file, whatever the hash in its name; of the tool, one for each platform.
    const before = kind === 'rules' ? known.files[0] : known.files.find(({ name }) => name === file.name)
    if (before === undefined || before.sha256 === file.sha256) continue
    const fate = known.withdrawnAt ? 'was published and withdrawn' : 'is published already'
    const what = kind === 'rules' ? `Version ${version}` : file.name
    throw new Problem(
      'version_exists',
      `${what} ${fate} with other bytes (SHA-256 ${before.sha256}). Publish it under a new version.`,
    )
  }
}

function isUnchanged(known: StoredRelease, { files, notes }: Publication): boolean {
  if (known.withdrawnAt || (notes !== undefined && notes !== known.notes)) return false
  return files.every((file) => known.files.some(({ name, keyId }) => name === file.name && keyId === file.keyId))
}

async function refuseOutdated(queries: Queries, channel: Channel, { version, backport }: Publication): Promise<void> {
  const newest = await findNewestRelease(queries, channel)
  if (!newest || backport || sortKeyOf(version) > sortKeyOf(newest.version)) return
  throw new Problem(
    'version_outdated',
    `${version} is older than ${newest.version}, which is published. Use a higher version, or publish it as a backport (--backport), so that ${newest.version} stays the newest.`,
  )
}

async function record(queries: Queries, publication: Publication, now: Date): Promise<void> {
  const { kind, organization, version, files, actor, detail } = publication
  await recordAudit(queries, {
    at: now,
    actor,
    action: kind === 'rules' ? 'rules.published' : 'tool.published',
    ...(organization && { org: organization.name }),
    detail: {
      version,
      files: files.map(({ name, sha256, keyId }) => ({ name, sha256, key: keyId })),
      ...detail,
    },
  })
}

function goneOrganization(name: string): Problem {
  return new Problem('not_found', `There is no organization ${JSON.stringify(name)} any more.`)
}

export interface Withdrawal {
  readonly kind: ReleaseKind
  readonly organization: { readonly id: string; readonly name: string } | undefined
  readonly version: string
  readonly actor: string
}

/** Withdraws a version: it is no longer offered, and its number cannot be used again. Withdrawing it again has no effect. */
export function withdraw(
  { database, clock }: Pick<ReleaseDeps, 'database' | 'clock'>,
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
