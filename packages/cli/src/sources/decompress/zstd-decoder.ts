import { corrupt } from './decompressor.js'
import { createChecksum } from './xxh64.js'
import { createBlockDecoder } from './zstd-block.js'
import { BLOCK, blockAt, CHECKSUM_BYTES, numberAt, type ZstdPiece } from './zstd-frames.js'
import { createHistory } from './zstd-history.js'

/** Unpacks the pieces of zstd data, one after the other. */
export interface ZstdDecoder {
  /** What a piece unpacks to, block by block; each is valid until the next one is asked for. */
  decode(piece: ZstdPiece): Generator<Uint8Array, void, void>
}

/**
 * Makes a decoder of zstd, as RFC 8878 describes it. Written for Omen, for the versions of Node that have none: the library
 * there is takes hours for a block of twelve bytes that means harm, and does not check the checksum.
 */
export function createZstdDecoder(): ZstdDecoder {
  const history = createHistory()
  const blocks = createBlockDecoder(history)
  let checksum = createChecksum()
  let size = 0

  function decodeBlock(bytes: Uint8Array, at: number): Uint8Array {
    history.makeRoom()
    const { end } = history
    const { type, size, start, next } = blockAt(bytes, at)
    if (type === BLOCK.compressed) blocks.decode(bytes, start, next)
    else {
      if (type === BLOCK.raw) history.bytes.set(bytes.subarray(start, next), end)
      else history.bytes.fill(bytes[start], end, end + size)
      history.end = end + size
    }
    return history.bytes.subarray(end, history.end)
  }

  return {
    *decode({ bytes, frame, isFirst, isLast }) {
      if (isFirst) {
        history.begin(frame.window)
        blocks.begin()
        checksum = createChecksum()
        size = 0
      }
      const end = bytes.length - (isLast && frame.hasChecksum ? CHECKSUM_BYTES : 0)
      for (let at = isFirst ? frame.headerBytes : 0; at < end; at = blockAt(bytes, at).next) {
        const chunk = decodeBlock(bytes, at)
        size += chunk.length
        if (frame.hasChecksum) checksum.update(chunk)
        if (chunk.length > 0) yield chunk
      }
      if (!isLast) return
      if (frame.contentSize !== undefined && frame.contentSize !== BigInt(size)) throw corrupt('zstd')
      if (frame.hasChecksum && checksum.digest() !== numberAt(bytes, end, CHECKSUM_BYTES)) throw corrupt('zstd')
    },
  }
}
