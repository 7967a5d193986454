import type { Writable } from 'node:stream'
import { explainWriteError, hasReaderGone } from './write-failure.js'

/**
 * Writes pieces to a stream with backpressure, so that they do not accumulate in memory. Returns false if the reader has gone (`omen
 * -o - | head`), which is not an error.
 *
 * @example
 * await writeToStream(process.stdout, serializeReport(problems))
 */
export async function writeToStream(
  stream: Writable,
  chunks: Iterable<string | Uint8Array>,
  name = 'standard output',
): Promise<boolean> {
  // A failed write also emits an error event after its callback, which would end the process without a listener.
  const ignore = () => {}
  stream.on('error', ignore)
  try {
    for (const piece of gather(chunks)) await writePiece(stream, piece)
    stream.off('error', ignore)
    return true
  } catch (error) {
    if (hasReaderGone(error)) return false
    throw explainWriteError(name, error)
  }
}

/** Waiting for every piece is simple, and not slower for pieces of this size. */
function writePiece(stream: Writable, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()))
  })
}

/** The size of a write: system calls are rare, and memory use stays low. */
const BATCH = 256 * 1024

/** Joins small pieces into batches of 256 KB. */
export function* gather(chunks: Iterable<string | Uint8Array>): Generator<Uint8Array, void, undefined> {
  let waiting: Uint8Array[] = []
  let size = 0
  for (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (bytes.length === 0) continue
    waiting.push(bytes)
    size += bytes.length
    if (size < BATCH) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}
