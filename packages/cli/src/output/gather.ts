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
