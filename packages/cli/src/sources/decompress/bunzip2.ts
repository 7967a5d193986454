import { type Block, createBlockReader } from './bzip2-stream.js'
import { createCompressedBytes } from './compressed-bytes.js'
import { corrupt, type Decompressor } from './decompressor.js'

const OUTPUT_BYTES = 256 * 1024

/**
 * Decompresses bzip2 data of any number of streams, as pbzip2 writes them. Why there is no library for it:
 * docs/decisions/0005-bzip2-and-xz-decoders.md.
 */
export const bunzip2: Decompressor = async function* (read) {
  const blocks = createBlockReader(createCompressedBytes(read))
  const output = new Uint8Array(OUTPUT_BYTES)
  for (let block = await blocks.next(); block; block = await blocks.next()) {
    const writer = createBlockWriter(block)
    let crc = CRC_START
    for (let filled = writer.write(output); filled > 0; filled = writer.write(output)) {
      const chunk = output.subarray(0, filled)
      crc = updateCrc(crc, chunk)
      yield chunk
    }
    if (~crc >>> 0 !== block.checksum) throw corrupt('bzip2')
  }
}

/** After this many equal bytes comes the number of further ones. */
const RUN = 4

/** The most bytes that one element can add. */
const MAX_RUN = 255

/**
 * Follows the links through all elements of a block, and expands the runs. `write` fills `into`, which must hold at least 256
 * bytes, and returns the number of bytes written; 0 at the end of the block. This is most of the work, and memory latency
 * dominates it: following the links of four blocks at a time was not faster.
 */
function createBlockWriter({ links, length, origin }: Block): { write(into: Uint8Array): number } {
  let at = links[origin] >>> 8
  let unwritten = length
  let last = -1
  let equal = 0
  return {
    write(into) {
      const limit = into.length - MAX_RUN
      let filled = 0
      // Local variables: V8 keeps them in registers.
      let next = at
      let remaining = unwritten
      let previous = last
      let run = equal
      while (remaining > 0 && filled < limit) {
        remaining--
        const element = links[next]
        next = element >>> 8
        const byte = element & 0xff
        if (run === RUN) {
          into.fill(previous, filled, filled + byte)
          filled += byte
          run = 0
          continue
        }
        run = byte === previous ? run + 1 : 1
        previous = byte
        into[filled++] = byte
      }
      at = next
      unwritten = remaining
      last = previous
      equal = run
      return filled
    },
  }
}

const CRC_START = 0xffffffff

let table: Uint32Array | undefined

/** CRC-32 with the highest bit first, unlike gzip's. */
function updateCrc(before: number, bytes: Uint8Array): number {
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
