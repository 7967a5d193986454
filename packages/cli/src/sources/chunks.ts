import { needsMore } from './contents.js'
import type { ReadBytes } from './decompress/decompressor.js'

/** Data piece by piece. A piece is the caller's until it asks for the next one. */
export type Chunks = AsyncGenerator<Uint8Array, void, void>

/** Reads pieces as one reads a file: as much as is there and has room; 0 at the end. */
export function readChunks(chunks: Chunks): (into: Uint8Array) => Promise<number> {
  let rest: Uint8Array = new Uint8Array()
  return async (into) => {
    while (rest.length === 0) {
      const { done, value } = await chunks.next()
      if (done) return 0
      rest = value
    }
    const piece = rest.subarray(0, into.length)
    into.set(piece)
    rest = rest.subarray(piece.length)
    return piece.length
  }
}

/** So many bytes are read at a time where nothing has to be unpacked. */
const PIECE = 64 * 1024

/** Gives what is read as pieces. */
export async function* chunksOf(read: ReadBytes): Chunks {
  const piece = new Uint8Array(PIECE)
  for (let bytes = await read(piece); bytes > 0; bytes = await read(piece)) yield piece.subarray(0, bytes)
}

/** Takes as many pieces as it takes to tell what data is. */
export async function takeHead(chunks: Chunks): Promise<Uint8Array> {
  let head = new Uint8Array()
  do {
    const { done, value } = await chunks.next()
    if (done) break
    // A copy: the piece is gone when the next one is asked for.
    head = Buffer.concat([head, value])
  } while (needsMore(head))
  return head
}

/** Gives a head that was taken once more, and then the rest. */
export async function* putBack(head: Uint8Array, chunks: Chunks): Chunks {
  if (head.length > 0) yield head
  yield* chunks
}
