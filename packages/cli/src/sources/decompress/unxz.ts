import { corrupt, type Decompressor, type ReadBytes, truncated, unsupported } from './decompressor.js'

const PIECE = 64 * 1024

/**
 * Unpacks xz data of any number of streams, with padding between them. The decoder is xz embedded, compiled to WebAssembly;
 * it takes no more than 64 MiB for a dictionary, which is what `xz -9` uses.
 */
export const unxz: Decompressor = async function* (read) {
  // Not a module that tells its exports to an import: they hang on the default one.
  const { XzReadableStream } = (await import('xz-decompress')).default
  const unpacked = new XzReadableStream(streamOf(read)).getReader()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await unpacked.read()
      isOver = done
      if (done) return
      if (value.length > 0) yield value
    }
  } catch (error) {
    isOver = true
    throw fault(error)
  } finally {
    if (!isOver) await unpacked.cancel()
  }
}

/** Nothing is read ahead. */
function streamOf(read: ReadBytes): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = new Uint8Array(PIECE)
        const bytes = await read(piece)
        if (bytes > 0) controller.enqueue(piece.subarray(0, bytes))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** What the codes of xz embedded mean that the decoder's messages end with. */
const FAULTS: Readonly<Record<string, () => Error>> = {
  3: () => unsupported('xz', 'more memory than there is', 'xz -dc'),
  4: () => unsupported('xz', 'a dictionary above 64 MiB', 'xz -dc'),
  6: () => unsupported('xz', 'a filter or a check that is seldom used', 'xz -dc'),
  8: () => truncated('xz'),
}

function fault(error: unknown): unknown {
  const [, code] = /error code (\d+)$/.exec((error as Error).message) ?? []
  if (code === undefined) return error
  return FAULTS[code]?.() ?? corrupt('xz', { cause: error })
}
