import { Problem } from '../problem.js'
import type { Database, Queries } from '../store/database.js'
import {
  CHUNK_BYTES,
  createBlob,
  deleteAbandonedBlobs,
  deleteBlob,
  readChunk,
  writeChunk,
} from '../store/releases/release-blobs.js'
import { LARGEST_TOOL, type ReleaseParts } from './parts.js'

/** An upload that has not become a release by then never will. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

const MOST_CHUNKS = LARGEST_TOOL / CHUNK_BYTES

/** Begins an upload, and clears away those that somebody left behind. */
export async function beginUpload({ database, clock }: Omit<ReleaseParts, 'compile'>): Promise<string> {
  const now = clock()
  await deleteAbandonedBlobs(database, new Date(now.getTime() - ABANDONED_MS))
  return createBlob(database, now)
}

/** Writes a piece of an upload. All but the last have the size of a row. */
export async function addChunk(database: Queries, upload: string, number: number, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0 || bytes.length > CHUNK_BYTES || number >= MOST_CHUNKS) {
    throw new Problem(
      'invalid_request',
      `A piece has 1 to ${CHUNK_BYTES} bytes, and a file at most ${MOST_CHUNKS} pieces.`,
    )
  }
  if (!(await writeChunk(database, { blob: upload, number, bytes }))) throw goneUpload()
}

/**
 * Uploads bytes as they come, cut into rows, with one row in memory. What fails in the middle is cleared away.
 *
 * @example
 * const { upload, size } = await storeBytes(parts, createReadStream(path), LARGEST_TOOL)
 */
export async function storeBytes(
  parts: Omit<ReleaseParts, 'compile'>,
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ readonly upload: string; readonly size: number }> {
  const upload = await beginUpload(parts)
  let size = 0
  try {
    let number = 0
    for await (const row of inRows(pieces)) {
      size += row.length
      if (size > most) throw tooLarge(most)
      await addChunk(parts.database, upload, number++, row)
    }
    return { upload, size }
  } catch (error) {
    await discardUpload(parts.database, upload)
    throw error
  }
}

/** Cuts bytes into pieces of the size of a row. */
export async function* inRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let row = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(CHUNK_BYTES - filled, piece.length - at)
      row.set(piece.subarray(at, at + taken), filled)
      filled += taken
      at += taken
      if (filled < CHUNK_BYTES) continue
      yield row
      row = Buffer.allocUnsafe(CHUNK_BYTES)
      filled = 0
    }
  }
  if (filled > 0) yield row.subarray(0, filled)
}

/** Takes away an upload that came to nothing. It is not the matter at hand: if that fails, it is cleared away another time. */
export async function discardUpload(database: Database, upload: string): Promise<void> {
  await deleteBlob(database, upload).catch(() => undefined)
}

/** The bytes of an upload or a file, a row at a time. Rejects when a row in the middle is missing. */
export async function* readRows(database: Queries, blob: string): AsyncGenerator<Uint8Array> {
  let isLast = false
  for (let number = 0; ; number++) {
    const row = await readChunk(database, blob, number)
    if (row === undefined) return
    // A row that is not full is the last: anything behind it was written by a caller who cut the file otherwise.
    if (isLast) throw new Problem('invalid_request', `All pieces but the last have ${CHUNK_BYTES} bytes.`)
    isLast = row.length < CHUNK_BYTES
    yield row
  }
}

/** A file whose bytes are gone, because its release was withdrawn after it was found. */
export class Withdrawn extends Error {
  override readonly name = 'Withdrawn'
}

/** Some bytes of a file of a known size. Rejects with `Withdrawn` when they are no longer there. */
export async function* readRange(
  database: Queries,
  blob: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const number = Math.floor(at / CHUNK_BYTES)
    const first = number * CHUNK_BYTES
    const row = await readChunk(database, blob, number)
    const piece = row?.subarray(at - first, Math.min(end - first, CHUNK_BYTES))
    if (piece === undefined || piece.length === 0) throw new Withdrawn('the file was withdrawn while it was sent')
    yield piece
    at += piece.length
  }
}

function goneUpload(): Problem {
  return new Problem('invalid_request', 'There is no such upload, or it is published already. Begin again.')
}

export function tooLarge(most: number): Problem {
  return new Problem('body_too_large', `The file has more than ${most / 1024 / 1024} MiB, the most that is taken.`)
}
