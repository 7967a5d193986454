import { randomUUID } from 'node:crypto'
import type { Queries } from '../database.js'

/** The bytes of one row. A row is read as a whole, so a download needs this much memory. */
export const CHUNK_BYTES = 256 * 1024

/** Begins an upload. Its bytes cannot be downloaded before a release refers to them. */
export async function createBlob(queries: Queries, now: Date): Promise<string> {
  const id = randomUUID()
  await queries.query('insert into release_blobs (id, started_at) values ($1, $2)', [id, now])
  return id
}

/**
 * Writes one piece. Writing it again replaces it, so a client that lost the response can repeat the request. False if there is no
 * such upload, or if it belongs to a release. The bytes are sent in base64, which the drivers handle much faster than bytes.
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

/** Deletes an upload that belongs to no release. */
export async function deleteBlob(queries: Queries, id: string): Promise<void> {
  await queries.query(
    'delete from release_blobs b where b.id = $1::uuid and not exists (select from release_files f where f.blob_id = b.id)',
    [id],
  )
}

/** Deletes uploads that began before a time and never became a release. */
export async function deleteAbandonedBlobs(queries: Queries, before: Date): Promise<void> {
  await queries.query(
    `delete from release_blobs b
     where b.started_at < $1 and not exists (select from release_files f where f.blob_id = b.id)`,
    [before],
  )
}
