import type { Transform } from 'node:stream'
import { createCompressedBytes } from './compressed-bytes.js'
import { corrupt, type Decompressor } from './decompressor.js'
import { createThreadDecoder, stepAhead } from './thread-decoder.js'
import { readZstdPieces } from './zstd-frames.js'

type CreateDecoder = (options: { readonly chunkSize: number }) => Transform

/** Room for what a few blocks unpack to. */
const CHUNK = 256 * 1024

/** Unpacks zstd data of any number of frames: with Node's own decoder where it has one, from 22.15 on, else with ours. */
export const unzstd: Decompressor = async function* (read) {
  const { createZstdDecompress } = process.getBuiltinModule('node:zlib') as { createZstdDecompress?: CreateDecoder }
  yield* createZstdDecompress ? unzstdOnThread(read, createZstdDecompress) : unzstdHere(read)
}

/** Unpacks on another thread. */
async function* unzstdOnThread(
  read: Parameters<Decompressor>[0],
  createDecoder: CreateDecoder,
): ReturnType<Decompressor> {
  const pieces = readZstdPieces(createCompressedBytes(read))
  const decoder = createThreadDecoder(createDecoder({ chunkSize: CHUNK }))
  try {
    yield* stepAhead(async () => {
      const { done, value } = await pieces.next()
      const chunks = await (done ? decoder.finish() : decoder.decode(value.bytes))
      return { chunks, isLast: done === true || decoder.error !== undefined }
    })
  } finally {
    decoder.close()
  }
  if (decoder.error) throw corrupt('zstd')
}

/** Unpacks on this thread. */
export const unzstdHere: Decompressor = async function* (read) {
  const { createZstdDecoder } = await import('./zstd-decoder.js')
  const decoder = createZstdDecoder()
  for await (const piece of readZstdPieces(createCompressedBytes(read))) yield* decoder.decode(piece)
}
