import { ZONE_TABLE } from '../../time/zones.js'
import type { KernelMemory } from '../kernel/memory.js'
import { LONGEST, PARTIAL, REVIEW_AFTER, STATE } from '../kernel/reading-layout.js'
import { type Block, blockAt } from './entries.js'
import { createFormatMemory, FORMAT_MEMORY_SIZE, type FormatMemory } from './format-memory.js'

/** Bytes read at once: a chunk with its entries fits the second-level cache. */
const CHUNK = 1 << 20

/** The smallest space that a caller gets to read into. */
const LEAST = 1 << 16

/** An open entry, a line without its end, and a chunk. */
const BUFFER = 2 * LONGEST + CHUNK + LEAST

/** The kernel reads whole vectors, also across the end of the bytes. */
const SLACK = 64

/** Entries per batch: a chunk of lines of usual length. Shorter lines are delivered in several batches. */
const ENTRIES = 16_384

/** The kernel memory of one reader: its state block, the bytes, and the arrays of entries. */
export interface ReadBuffer {
  readonly state: number
  /** The state block, with new views: the memory may have grown since the last call. */
  block(): Block
  /** Free space for bytes. Moves the bytes still needed to the front first, if that is worthwhile. */
  space(): Uint8Array
  /** `bytes` bytes of `space()` were filled. */
  fill(bytes: number): void
  /** Puts the content of a snapshot into the empty buffer: the text of the open entry, and the unread bytes. */
  restore(openText: Uint8Array, unread: Uint8Array): void
  /** Discards everything that was read. */
  clear(): void
  /** The formats of the stream. */
  readonly formats: FormatMemory
  /** Allocates memory for entries that are written in pieces. */
  preparePartials(): void
}

/** The words that are 0 at the start. */
const COUNTERS = [
  STATE.final,
  STATE.skipping,
  STATE.open,
  STATE.timeless,
  STATE.cutLine,
  STATE.lineBytes,
  STATE.timed,
  STATE.folded,
  STATE.partials + PARTIAL.line,
  STATE.partials + PARTIAL.size + PARTIAL.line,
]

/** The size of the time zone table, rounded up so that numbers can follow it. */
const ZONES = (ZONE_TABLE.length + 15) & ~15

export function createReadBuffer(memory: KernelMemory): ReadBuffer {
  // One allocation: every growth of the memory may move all of it.
  const sizes = [
    STATE.size * 4,
    FORMAT_MEMORY_SIZE,
    ZONES,
    BUFFER + SLACK,
    ...[4, 4, 4, 8, 1].map((size) => size * ENTRIES),
  ]
  let next = memory.allocate(sizes.reduce((sum, size) => sum + size))
  const [state, formatsAt, zones, base, ...arrays] = sizes.map((size) => {
    next += size
    return next - size
  })
  const block = () => blockAt(memory, state)
  memory.u8.set(ZONE_TABLE, zones)
  block().words[STATE.zones] = zones
  block().words[STATE.capacity] = ENTRIES
  block().words.set(arrays, STATE.starts)
  const formats = createFormatMemory(memory, formatsAt, block)
  clear()

  function clear(): void {
    const { words, longs } = block()
    words.set([base, base, base, 1])
    for (const word of COUNTERS) words[word] = 0
    for (const word of [STATE.openTime, STATE.lastTime, STATE.clock]) longs[word >> 1] = 0n
    words[STATE.reviewAt] = REVIEW_AFTER
  }

  /** Moves the open entry and the unread bytes to the front, with one byte between them for a line feed. */
  function compact(): void {
    const { words, bytes } = block()
    let to = base
    if (words[STATE.open] === 1) {
      const length = words[STATE.openEnd] - words[STATE.openStart]
      bytes.copyWithin(base, words[STATE.openStart], words[STATE.openEnd])
      words[STATE.openStart] = base
      words[STATE.openEnd] = base + length
      to = base + length + 1
    }
    const shift = words[STATE.at] - to
    bytes.copyWithin(to, words[STATE.at], words[STATE.limit])
    for (const word of [STATE.at, STATE.searched, STATE.limit]) words[word] -= shift
  }

  return {
    state,
    block,
    space() {
      const { words } = block()
      const live = words[STATE.open] === 1 ? words[STATE.openStart] : words[STATE.at]
      const passed = live - base
      // Moving at most as many bytes as were read since the last time keeps the cost proportional to the data.
      if (passed >= words[STATE.limit] - live || base + BUFFER - words[STATE.limit] < LEAST) compact()
      return memory.u8.subarray(words[STATE.limit], Math.min(words[STATE.limit] + CHUNK, base + BUFFER))
    },
    fill(count) {
      const { words } = block()
      if (!(count >= 0 && words[STATE.limit] + count <= base + BUFFER)) {
        throw new RangeError(`${count} bytes are more than space() has`)
      }
      words[STATE.limit] += count
    },
    restore(openText, unread) {
      const { words, bytes } = block()
      bytes.set(openText, base)
      words[STATE.openStart] = base
      words[STATE.openEnd] = base + openText.length
      const at = base + openText.length + 1
      bytes.set(unread, at)
      words.set([at, at, at + unread.length])
    },
    clear,
    formats,
    preparePartials() {
      const { words } = block()
      if (words[STATE.partials + PARTIAL.text] !== 0) return
      const texts = memory.allocate(2 * (LONGEST + SLACK))
      for (const stream of [0, 1]) {
        block().words[STATE.partials + stream * PARTIAL.size + PARTIAL.text] = texts + stream * (LONGEST + SLACK)
      }
    },
  }
}
