import { type Chunks, chunksOf, putBack, readChunks, takeHead } from './chunks.js'
import type { Compression } from './compression.js'
import { type Encoding, inspect, refusal } from './contents.js'
import type { Decompressor, ReadBytes } from './decompress/decompressor.js'
import type { Data } from './open-data.js'
import { decodeUtf16 } from './utf16.js'

/** Loads the decompressor of a compression. None is loaded before it is needed. */
export const DECOMPRESSORS: Readonly<Record<Compression, () => Promise<Decompressor>>> = {
  gzip: async () => (await import('./decompress/zlib.js')).gunzip,
  zstd: async () => (await import('./decompress/unzstd.js')).unzstd,
  bzip2: async () => (await import('./decompress/bunzip2.js')).bunzip2,
  xz: async () => (await import('./decompress/unxz.js')).unxz,
}

type Reading = Pick<Data, 'read' | 'close'>

/** Unpacks what `read` gives. What is in it must be text: an archive in it is refused, and so is more of the same. */
export async function unpack(
  read: ReadBytes,
  closeInput: () => void,
  compression: Compression,
  path: string | undefined,
): Promise<Reading> {
  const decompress = await DECOMPRESSORS[compression]()
  const packed = decompress(read)
  try {
    const head = await takeHead(packed)
    const contents = inspect(head)
    if (contents.is === 'compressed') throw refusal(contents.compression, path, compression)
    if (contents.is === 'refused') throw refusal(contents.kind, path, compression)
    const text = putBack(head, packed)
    return reading(contents.encoding ? decodeUtf16(text, contents.encoding) : text, closeInput, packed)
  } catch (error) {
    closeInput()
    await packed.return()
    throw error
  }
}

/** Turns what `read` gives into UTF-8. */
export function decode(read: ReadBytes, closeInput: () => void, encoding: Encoding): Reading {
  const chunks = chunksOf(read)
  return reading(decodeUtf16(chunks, encoding), closeInput, chunks)
}

/** `root` is what the pieces come from in the end: it has to be closed. */
function reading(chunks: Chunks, closeInput: () => void, root: Chunks): Reading {
  const read = readChunks(chunks)
  let isClosed = false
  return {
    async read(into) {
      try {
        return isClosed ? 0 : await read(into)
      } catch (error) {
        // What is closed in the middle seems cut off.
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
