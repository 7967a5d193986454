import { corrupt, type Decompressor, type ReadBytes, truncated, unsupported } from './decompressor.js'

const PIECE = 64 * 1024

/**
 * Decompresses xz data of any number of streams, with padding between them. The decoder is xz embedded, compiled to
 * WebAssembly; it allows a dictionary of up to 64 MiB, which is what `xz -9` uses.
 */
export const unxz: Decompressor = async function* (read) {
  // The package is CommonJS: its exports are properties of the default export.
  const { XzReadableStream } = (await import('xz-decompress')).default
  const reader = new XzReadableStream(streamOf(read)).getReader()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isOver = done
      if (done) return
      if (value.length > 0) yield value
    }
  } catch (error) {
    isOver = true
    throw asFailure(error)
  } finally {
    if (!isOver) await reader.cancel()
  }
}

/** A stream that reads nothing ahead. */
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

/** By the error code of xz embedded, with which the decoder's messages end. */
const FAILURES: Readonly<Record<string, () => Error>> = {
  3: () => unsupported('xz', 'more memory than there is', 'xz -dc'),
  4: () => unsupported('xz', 'a dictionary above 64 MiB', 'xz -dc'),
  6: () => unsupported('xz', 'an unusual filter or check', 'xz -dc'),
  8: () => truncated('xz'),
}

function asFailure(error: unknown): unknown {
  const [, code] = /error code (\d+)$/.exec((error as Error).message) ?? []
  if (code === undefined) return error
  return FAILURES[code]?.() ?? corrupt('xz', { cause: error })
}
