import { type Encoding, needsMore } from './contents.js'
import type { ReadBytes } from './decompress/decompressor.js'

/** Data in chunks. A chunk is valid until the next one is requested. */
export type Chunks = AsyncGenerator<Uint8Array, void, void>

/** Reads chunks as a file: as many bytes as are available and fit; 0 at the end. */
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

/** The bytes that are read at a time if the data is not compressed. */
const PIECE = 64 * 1024

/** Reads data in chunks. */
export async function* chunksOf(read: ReadBytes): Chunks {
  const piece = new Uint8Array(PIECE)
  for (let bytes = await read(piece); bytes > 0; bytes = await read(piece)) yield piece.subarray(0, bytes)
}

/** Takes as many chunks as show what kind of data it is. */
export async function takeHead(chunks: Chunks): Promise<Uint8Array> {
  let head = new Uint8Array()
  do {
    const { done, value } = await chunks.next()
    if (done) break
    // A copy: the chunk becomes invalid when the next one is requested.
    head = Buffer.concat([head, value])
  } while (needsMore(head))
  return head
}

/** Yields a head that was taken, and then the rest. */
export async function* putBack(head: Uint8Array, chunks: Chunks): Chunks {
  if (head.length > 0) yield head
  yield* chunks
}

/**
 * Converts UTF-16 to UTF-8 and removes the byte order mark. Invalid code units become U+FFFD.
 *
 * @example
 * for await (const chunk of decodeUtf16(chunks, 'utf-16le')) detector.push(chunk)
 */
export async function* decodeUtf16(chunks: Chunks, encoding: Encoding): Chunks {
  const decoder = new TextDecoder('utf-16le')
  const encoder = new TextEncoder()
  for await (const chunk of encoding === 'utf-16be' ? swapPairs(chunks) : chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text.length > 0) yield encoder.encode(text)
  }
  const rest = decoder.decode()
  if (rest.length > 0) yield encoder.encode(rest)
}

/** Swaps the bytes of each pair: not every build of Node decodes big-endian UTF-16. A byte without its pair waits for it. */
async function* swapPairs(chunks: Chunks): Chunks {
  let waiting = new Uint8Array()
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([waiting, chunk])
    const even = bytes.length & ~1
    waiting = Uint8Array.from(bytes.subarray(even))
    yield bytes.subarray(0, even).swap16()
  }
  if (waiting.length > 0) yield waiting
}
