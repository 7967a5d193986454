import type { Writable } from 'node:stream'
import { explainWriteError, hasReaderLeft } from './write-failure.js'

/**
 * Writes pieces to a stream no faster than it takes them, so that nothing piles up in memory. Says whether all of it was
 * taken: false means that the reader has left (`omen -o - | head`), which is no error.
 *
 * @example
 * await writeToStream(process.stdout, serializeReport(problems))
 */
export async function writeToStream(
  stream: Writable,
  chunks: Iterable<string | Uint8Array>,
  name = 'standard output',
): Promise<boolean> {
  // A failed write is also told as an event, a moment after its callback: without a listener that would end the process.
  const ignore = () => {}
  stream.on('error', ignore)
  try {
    for (const piece of gather(chunks)) await writePiece(stream, piece)
    stream.off('error', ignore)
    return true
  } catch (error) {
    if (hasReaderLeft(error)) return false
    throw explainWriteError(name, error)
  }
}

/** To wait for every piece costs nothing that shows at this size, and needs no bookkeeping of what is under way. */
function writePiece(stream: Writable, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()))
  })
}

/** Written at once: a call into the system per 256 KB does not show, and memory stays small. */
const BATCH = 256 * 1024

/** Joins small pieces to batches of bytes that are worth a call into the system. */
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
