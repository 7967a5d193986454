import type { Queries } from '../database.js'

export type ReleaseKind = 'rules' | 'tool'

/** Releases of a kind, for everyone or for one organization. */
export interface Channel {
  readonly kind: ReleaseKind
  readonly organizationId: string | undefined
}

export interface StoredFile {
  readonly id: string
  readonly releaseId: string
  /** Undefined if the release was withdrawn. */
  readonly blobId: string | undefined
  readonly name: string
  readonly platform: string | undefined
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  readonly signature: Buffer
  readonly keyId: string
}

export interface StoredRelease extends Channel {
  readonly id: string
  /** Increases with every release: the order of publication. */
  readonly number: string
  readonly organization: string | undefined
  readonly version: string
  readonly notes: string
  readonly publishedAt: Date
  readonly withdrawnAt: Date | undefined
  readonly files: readonly StoredFile[]
}

/** The letters `rele` in ASCII. */
const LOCK = 0x72656c65

const FILES = `(select coalesce(json_agg(json_build_object('id', f.id, 'releaseId', f.release_id, 'blobId', f.blob_id,
      'name', f.name, 'platform', f.platform, 'size', f.size, 'sha256', f.sha256,
      'signature', encode(f.signature, 'hex'), 'keyId', f.key_id) order by f.name), '[]')
    from release_files f where f.release_id = r.id) as files`

const RELEASES = `select r.id, r.number::text as number, r.kind, r.organization_id, o.name as organization, r.version, r.notes,
    r.published_at, r.withdrawn_at, ${FILES}
  from releases r left join organizations o on o.id = r.organization_id`

const IN_CHANNEL = 'r.kind = $1 and r.organization_id is not distinct from $2::uuid'

/** Serializes changes of releases, so that the newest one does not change between a read and a write. */
export async function lockReleases(queries: Queries): Promise<void> {
  await queries.query(`select pg_advisory_xact_lock(${LOCK})`)
}

/** The release with the highest version that is not withdrawn. */
export async function findNewestRelease(queries: Queries, channel: Channel): Promise<StoredRelease | undefined> {
  const [row] = await queries.query<ReleaseRow>(
    `${RELEASES} where ${IN_CHANNEL} and r.withdrawn_at is null order by r.precedence desc limit 1`,
    [channel.kind, channel.organizationId ?? null],
  )
  return row && releaseOf(row)
}

/** A version, withdrawn or not. */
export async function findRelease(
  queries: Queries,
  channel: Channel,
  version: string,
): Promise<StoredRelease | undefined> {
  const [row] = await queries.query<ReleaseRow>(`${RELEASES} where ${IN_CHANNEL} and r.version = $3`, [
    channel.kind,
    channel.organizationId ?? null,
    version,
  ])
  return row && releaseOf(row)
}

/** All releases of a kind, the latest last. */
export async function listReleases(queries: Queries, kind: ReleaseKind): Promise<StoredRelease[]> {
  return (await queries.query<ReleaseRow>(`${RELEASES} where r.kind = $1 order by r.number`, [kind])).map(releaseOf)
}

/** The releases of a kind that an organization can download, public ones included, the latest first. */
export async function pageReleases(
  queries: Queries,
  { kind, organizationId }: Channel,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<StoredRelease[]> {
  const rows = await queries.query<ReleaseRow>(
    `${RELEASES} where r.kind = $1 and (r.organization_id is null or r.organization_id = $2::uuid)
       and r.withdrawn_at is null and ($3::bigint is null or r.number < $3::bigint)
     order by r.number desc limit $4::int`,
    [kind, organizationId ?? null, before ?? null, limit],
  )
  return rows.map(releaseOf)
}

/** A file that can be downloaded. */
export async function findReleaseFile(
  queries: Queries,
  channel: Channel,
  name: string,
): Promise<(StoredFile & { readonly blobId: string }) | undefined> {
  const [row] = await queries.query<FileRow>(
    `select f.id, f.release_id, f.blob_id, f.name, f.platform, f.size::text as size, f.sha256,
       encode(f.signature, 'hex') as signature, f.key_id
     from release_files f join releases r on r.id = f.release_id
     where f.name = $3 and ${IN_CHANNEL} and r.withdrawn_at is null and f.blob_id is not null`,
    [channel.kind, channel.organizationId ?? null, name],
  )
  return row && fileOf(row)
}

export interface NewRelease extends Channel {
  readonly id: string
  readonly version: string
  readonly precedence: string
  readonly notes: string
  readonly publishedAt: Date
}

export async function insertRelease(queries: Queries, release: NewRelease): Promise<void> {
  await queries.query(
    `insert into releases (id, kind, organization_id, version, precedence, notes, published_at)
     values ($1, $2, $3::uuid, $4, $5, $6, $7)`,
    [
      release.id,
      release.kind,
      release.organizationId ?? null,
      release.version,
      release.precedence,
      release.notes,
      release.publishedAt,
    ],
  )
}

/** Publishes a withdrawn version again, or updates the notes of a published one. */
export async function renewRelease(queries: Queries, id: string, notes: string): Promise<void> {
  await queries.query('update releases set withdrawn_at = null, notes = $2 where id = $1', [id, notes])
}

/** Stores a file, or replaces its bytes and signature. */
export async function saveReleaseFile(queries: Queries, file: StoredFile): Promise<void> {
  await queries.query(
    `insert into release_files (id, release_id, blob_id, name, platform, size, sha256, signature, key_id)
     values ($1, $2, $3::uuid, $4, $5, $6::bigint, $7, decode($8::text, 'hex'), $9)
     on conflict (release_id, name) do update set blob_id = excluded.blob_id, signature = excluded.signature,
       key_id = excluded.key_id`,
    [
      file.id,
      file.releaseId,
      file.blobId ?? null,
      file.name,
      file.platform ?? null,
      file.size,
      file.sha256,
      file.signature.toString('hex'),
      file.keyId,
    ],
  )
}

/** Withdraws a release: its version stays taken, its bytes are deleted. */
export async function markWithdrawn(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query('update releases set withdrawn_at = $2 where id = $1', [id, now])
  await queries.query(
    'delete from release_blobs b using release_files f where f.release_id = $1 and f.blob_id = b.id',
    [id],
  )
}

type ListedFile = Omit<StoredFile, 'blobId' | 'platform' | 'signature'> & {
  blobId: string | null
  platform: string | null
  signature: string
}

type ReleaseRow = {
  id: string
  number: string
  kind: ReleaseKind
  organization_id: string | null
  organization: string | null
  version: string
  notes: string
  published_at: Date
  withdrawn_at: Date | null
  files: ListedFile[]
}

type FileRow = {
  id: string
  release_id: string
  blob_id: string
  name: string
  platform: string | null
  size: string
  sha256: string
  signature: string
  key_id: string
}

const fileOf = (row: FileRow): StoredFile & { readonly blobId: string } => ({
  id: row.id,
  releaseId: row.release_id,
  blobId: row.blob_id,
  name: row.name,
  platform: row.platform ?? undefined,
  size: Number(row.size),
  sha256: row.sha256,
  signature: Buffer.from(row.signature, 'hex'),
  keyId: row.key_id,
})

const releaseOf = (row: ReleaseRow): StoredRelease => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  organizationId: row.organization_id ?? undefined,
  organization: row.organization ?? undefined,
  version: row.version,
  notes: row.notes,
  publishedAt: row.published_at,
  withdrawnAt: row.withdrawn_at ?? undefined,
  files: row.files.map((file) => ({
    ...file,
    blobId: file.blobId ?? undefined,
    platform: file.platform ?? undefined,
    signature: Buffer.from(file.signature, 'hex'),
  })),
})
