import { type Chunks, chunksOf, decodeUtf16, putBack, readChunks, takeHead } from './chunks.js'
import type { Compression } from './compression.js'
import { type Encoding, inspect, isBinary, notText, refusal } from './contents.js'
import type { Decompressor, ReadBytes } from './decompress/decompressor.js'
import type { Data } from './open-data.js'

/** Loads the decompressor of a compression. None is loaded before it is needed. */
export const DECOMPRESSORS: Readonly<Record<Compression, () => Promise<Decompressor>>> = {
  gzip: async () => (await import('./decompress/zlib.js')).gunzip,
  zstd: async () => (await import('./decompress/unzstd.js')).unzstd,
  bzip2: async () => (await import('./decompress/bunzip2.js')).bunzip2,
  xz: async () => (await import('./decompress/unxz.js')).unxz,
}

type Reading = Pick<Data, 'read' | 'close'>

/** Decompresses what `read` returns. It must contain text: an archive or compressed data in it is refused. */
export async function unpack(
  read: ReadBytes,
  closeInput: () => void,
  compression: Compression,
  path: string | undefined,
): Promise<Reading> {
  const decompress = await DECOMPRESSORS[compression]()
  const decompressed = decompress(read)
  try {
    const head = await takeHead(decompressed)
    const contents = inspect(head)
    if (contents.is === 'compressed') throw refusal(contents.compression, path, compression)
    if (contents.is === 'refused') throw refusal(contents.kind, path, compression)
    if (!contents.encoding && isBinary(head)) throw notText(path)
    const text = putBack(head, decompressed)
    return reading(contents.encoding ? decodeUtf16(text, contents.encoding) : text, closeInput, decompressed)
  } catch (error) {
    closeInput()
    await decompressed.return()
    throw error
  }
}

/** Converts what `read` returns to UTF-8. */
export function decode(read: ReadBytes, closeInput: () => void, encoding: Encoding): Reading {
  const chunks = chunksOf(read)
  return reading(decodeUtf16(chunks, encoding), closeInput, chunks)
}

/** `root` is the generator at the start of the chain, which has to be closed. */
function reading(chunks: Chunks, closeInput: () => void, root: Chunks): Reading {
  const read = readChunks(chunks)
  let isClosed = false
  return {
    async read(into) {
      try {
        return isClosed ? 0 : await read(into)
      } catch (error) {
        // Data that is closed before its end looks truncated.
        if (isClosed) return 0
        throw error
      }
    },
    async close() {
      isClosed = true
      closeInput()
      await root.return()
    },
  }
}
