import { createRunWriter } from './bzip2-runs.js'
import { createBlockReader } from './bzip2-stream.js'
import { createCompressedBytes } from './compressed-bytes.js'
import { corrupt, type Decompressor } from './decompressor.js'

const OUTPUT_BYTES = 256 * 1024

/**
 * Unpacks bzip2 data of any number of streams, as pbzip2 writes them. Written for Omen: the libraries there are unpack 6 MB in
 * a second, or take all that a bomb unpacks to into memory at once.
 */
export const bunzip2: Decompressor = async function* (read) {
  const blocks = createBlockReader(createCompressedBytes(read))
  const output = new Uint8Array(OUTPUT_BYTES)
  for (let block = await blocks.next(); block; block = await blocks.next()) {
    const runs = createRunWriter(block)
    let crc = CHECKSUM_START
    for (let filled = runs.write(output); filled > 0; filled = runs.write(output)) {
      const chunk = output.subarray(0, filled)
      crc = addToChecksum(crc, chunk)
      yield chunk
    }
    if (~crc >>> 0 !== block.checksum) throw corrupt('bzip2')
  }
}

const CHECKSUM_START = 0xffffffff

let table: Uint32Array | undefined

/** CRC-32 with the highest bit first, unlike the one of gzip. */
function addToChecksum(before: number, bytes: Uint8Array): number {
  table ??= createTable()
  let crc = before
  for (let i = 0; i < bytes.length; i++) crc = (crc << 8) ^ table[(crc >>> 24) ^ bytes[i]]
  return crc
}

function createTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
    return crc
  })
}
