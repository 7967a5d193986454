import type { Queries } from '../database.js'

/** A public key that verifies releases. */
export interface StoredReleaseKey {
  readonly id: string
  readonly pem: string
  /** For the packages of this organization only; undefined for a key of the operator. */
  readonly organizationId: string | undefined
  readonly organization: string | undefined
  readonly addedAt: Date
  readonly retiredAt: Date | undefined
}

const KEYS = `select k.id, k.pem, k.organization_id, o.name as organization, k.added_at, k.retired_at
  from release_keys k left join organizations o on o.id = k.organization_id`

export async function findReleaseKey(queries: Queries, id: string): Promise<StoredReleaseKey | undefined> {
  const [row] = await queries.query<KeyRow>(`${KEYS} where k.id = $1`, [id])
  return row && keyOf(row)
}

export async function listReleaseKeys(queries: Queries): Promise<StoredReleaseKey[]> {
  return (await queries.query<KeyRow>(`${KEYS} order by k.added_at, k.id`)).map(keyOf)
}

/** The keys that are not retired: the operator's, and those of an organization if one is given. */
export async function findCurrentReleaseKeys(
  queries: Queries,
  organizationId: string | undefined,
): Promise<StoredReleaseKey[]> {
  const rows = await queries.query<KeyRow>(
    `${KEYS} where k.retired_at is null and (k.organization_id is null or k.organization_id = $1::uuid)
     order by k.added_at, k.id`,
    [organizationId ?? null],
  )
  return rows.map(keyOf)
}

export async function saveReleaseKey(
  queries: Queries,
  { id, pem, organizationId, addedAt }: Pick<StoredReleaseKey, 'id' | 'pem' | 'organizationId' | 'addedAt'>,
): Promise<void> {
  await queries.query(
    `insert into release_keys (id, organization_id, pem, added_at) values ($1, $2::uuid, $3, $4)
     on conflict (id) do update set added_at = excluded.added_at, retired_at = null`,
    [id, organizationId ?? null, pem, addedAt],
  )
}

export async function markReleaseKeyRetired(queries: Queries, id: string, now: Date): Promise<void> {
  await queries.query('update release_keys set retired_at = $2 where id = $1', [id, now])
}

/** How many files that are not withdrawn are signed with this key. */
export async function countFilesSignedBy(queries: Queries, id: string): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    'select count(*)::int as count from release_files where key_id = $1 and blob_id is not null',
    [id],
  )
  return row!.count
}

type KeyRow = {
  id: string
  pem: string
  organization_id: string | null
  organization: string | null
  added_at: Date
  retired_at: Date | null
}

const keyOf = (row: KeyRow): StoredReleaseKey => ({
  id: row.id,
  pem: row.pem,
  organizationId: row.organization_id ?? undefined,
  organization: row.organization ?? undefined,
  addedAt: row.added_at,
  retiredAt: row.retired_at ?? undefined,
})
