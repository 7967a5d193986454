import { randomUUID } from 'node:crypto'
import type { Queries } from './database.js'

/** Bytes of one row. A row is read as a whole, so this is what a download holds in memory. */
export const CHUNK_BYTES = 256 * 1024

/** Begins an upload. What is written to it is seen by nobody before a release takes it over. */
export async function createBlob(queries: Queries, now: Date): Promise<string> {
  const id = randomUUID()
  await queries.query('insert into release_blobs (id, started_at) values ($1, $2)', [id, now])
  return id
}

/**
 * Writes one piece. The same piece again replaces it, so that a caller who lost the answer can repeat. False when there is no
 * such upload, or when it has become a release. In base64: the drivers take and give it as fast as the database does, bytes not.
 */
export async function writeChunk(
  queries: Queries,
  { blob, number, bytes }: { readonly blob: string; readonly number: number; readonly bytes: Uint8Array },
): Promise<boolean> {
  const rows = await queries.query(
    `insert into release_chunks (blob_id, number, bytes)
     select b.id, $2::int, decode($3::text, 'base64') from release_blobs b
     where b.id = $1::uuid and not exists (select from release_files f where f.blob_id = b.id)
     on conflict (blob_id, number) do update set bytes = excluded.bytes
     returning number`,
    [blob, number, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')],
  )
  return rows.length > 0
}

export async function readChunk(queries: Queries, blob: string, number: number): Promise<Buffer | undefined> {
  const [row] = await queries.query<{ bytes: string }>(
    `select encode(bytes, 'base64') as bytes from release_chunks where blob_id = $1 and number = $2::int`,
    [blob, number],
  )
  return row && Buffer.from(row.bytes, 'base64')
}

/** What is left of uploads that never became a release, and of releases that were withdrawn. */
export async function deleteBlob(queries: Queries, id: string): Promise<void> {
  await queries.query(
    'delete from release_blobs b where b.id = $1::uuid and not exists (select from release_files f where f.blob_id = b.id)',
    [id],
  )
}

/** Deletes uploads that were begun before a time and never became a release. */
export async function deleteAbandonedBlobs(queries: Queries, before: Date): Promise<void> {
  await queries.query(
    `delete from release_blobs b
     where b.started_at < $1 and not exists (select from release_files f where f.blob_id = b.id)`,
    [before],
  )
}
