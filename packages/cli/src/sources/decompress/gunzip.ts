import { corrupt, type Decompressor, truncated } from './decompressor.js'
import { createThreadDecoder, stepAhead } from './thread-decoder.js'

/** Deflate makes at most 1032 bytes of one: 32 KiB become 33 MiB, and that only when somebody means harm. */
const PIECE = 32 * 1024

/** Room for what a piece of a log mostly unpacks to, so that it comes in one part or two. */
const CHUNK = 256 * 1024

/** Unpacks gzip data, of several members too. Zeros may follow it. */
export const gunzip: Decompressor = async function* (read) {
  const { createGunzip } = process.getBuiltinModule('node:zlib')
  const decoder = createThreadDecoder(createGunzip({ chunkSize: CHUNK }))
  const piece = new Uint8Array(PIECE)
  try {
    yield* stepAhead(async () => {
      const bytes = await read(piece)
      const chunks = bytes === 0 ? await decoder.finish() : await decoder.decode(piece.subarray(0, bytes))
      return { chunks, isLast: bytes === 0 || decoder.isOver || decoder.error !== undefined }
    })
  } finally {
    decoder.close()
  }
  if (decoder.error) throw decoder.error.code === 'Z_BUF_ERROR' ? truncated('gzip') : corrupt('gzip')
}
