import type { Clock } from '../clock.js'
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
import type { CompilePackage } from './compile-package.js'

/** The dependencies of releases. */
export interface ReleaseDeps {
  readonly database: Database
  readonly clock: Clock
  readonly compile: CompilePackage
}

/** A package is held in memory to be compiled; real ones are far smaller. */
export const LARGEST_PACKAGE = 16 * 1024 * 1024

/** A single-file executable has about 100 MB. */
export const LARGEST_TOOL = 512 * 1024 * 1024

/** An upload that is not published by then was abandoned. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

const MOST_CHUNKS = LARGEST_TOOL / CHUNK_BYTES

/** Starts an upload, and deletes abandoned ones. */
export async function beginUpload({ database, clock }: Omit<ReleaseDeps, 'compile'>): Promise<string> {
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
 * Uploads bytes as they arrive, cut into rows, with one row in memory. A failed upload is deleted.
 *
 * @example
 * const { upload, size } = await storeBytes(deps, createReadStream(path), LARGEST_TOOL)
 */
export async function storeBytes(
  deps: Omit<ReleaseDeps, 'compile'>,
  pieces: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ readonly upload: string; readonly size: number }> {
  const upload = await beginUpload(deps)
  let size = 0
  try {
    let number = 0
    for await (const row of inRows(pieces)) {
      size += row.length
      if (size > most) throw tooLarge(most)
      await addChunk(deps.database, upload, number++, row)
    }
    return { upload, size }
  } catch (error) {
    await discardUpload(deps.database, upload)
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

/** Deletes an upload that was not published. An error is ignored: the upload is deleted later as abandoned. */
export async function discardUpload(database: Database, upload: string): Promise<void> {
  await deleteBlob(database, upload).catch(() => undefined)
}

/** The bytes of an upload or a file, a row at a time. Rejects when a row in the middle is missing. */
export async function* readRows(database: Queries, blob: string): AsyncGenerator<Uint8Array> {
  let isLast = false
  for (let number = 0; ; number++) {
    const row = await readChunk(database, blob, number)
    if (row === undefined) return
    // A row that is not full is the last one: more rows mean that the client cut the file differently.
    if (isLast) throw new Problem('invalid_request', `All pieces but the last have ${CHUNK_BYTES} bytes.`)
    isLast = row.length < CHUNK_BYTES
    yield row
  }
}

/** The bytes of a file are gone, because its release was withdrawn after it was found. */
export class Withdrawn extends Error {
  override readonly name = 'Withdrawn'
}

/** A range of bytes of a file. Rejects with `Withdrawn` when they no longer exist. */
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
  return new Problem('invalid_request', 'There is no such upload, or it is already published. Start again.')
}

export function tooLarge(most: number): Problem {
  return new Problem('body_too_large', `The file is larger than ${most / 1024 / 1024} MiB, the limit.`)
}
