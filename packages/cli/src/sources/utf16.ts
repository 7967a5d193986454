import type { Chunks } from './chunks.js'
import type { Encoding } from './contents.js'

/**
 * Turns UTF-16 into UTF-8 piece by piece; the byte order mark goes. What is not valid becomes U+FFFD.
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

/** Not every build of Node decodes the big-endian kind, so the bytes of each pair change places. One without its pair waits. */
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
