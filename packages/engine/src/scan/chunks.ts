/** Data: one piece, or anything that gives pieces one after the other. */
export type Chunks = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Pieces are cut to this size, so that what one call finds stays bounded however large a piece is. */
const LARGEST = 1 << 20

/** Gives the pieces of data, none larger than 1 MiB. */
export async function* piecesOf(chunks: Chunks): AsyncGenerator<Uint8Array> {
  if (chunks instanceof Uint8Array) {
    yield* cut(chunks)
    return
  }
  for await (const chunk of chunks) yield* cut(chunk)
}

function* cut(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += LARGEST) yield chunk.subarray(at, at + LARGEST)
}
