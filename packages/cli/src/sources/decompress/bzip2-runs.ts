/** A block whose elements are linked: each holds a byte, and above it the place of the element that follows in the data. */
export interface LinkedBlock {
  readonly links: Uint32Array
  readonly length: number
  /** The place of the element before the first one. */
  readonly origin: number
}

/** Writes the bytes of a block in their order. */
export interface RunWriter {
  /** Fills `into`, which has room for 256 bytes at least; 0 at the end of the block. */
  write(into: Uint8Array): number
}

/** After this many equal bytes comes the number of further ones. */
const RUN = 4

/** The most that one element can add. */
const MOST = 255

/**
 * Follows the links through all elements, and writes out the runs. This is most of the work, and it is waiting for memory:
 * following the links of four blocks at a time was no faster.
 */
export function createRunWriter({ links, length, origin }: LinkedBlock): RunWriter {
  let at = links[origin] >>> 8
  let left = length
  let last = -1
  let equal = 0
  return {
    write(into) {
      const room = into.length - MOST
      let filled = 0
      let next = at
      let remaining = left
      let previous = last
      let run = equal
      while (remaining > 0 && filled < room) {
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
      left = remaining
      last = previous
      equal = run
      return filled
    },
  }
}
