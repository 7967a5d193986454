import { corrupt } from './decompressor.js'
import { topBit } from './zstd-huffman.js'
import { LITERAL_LENGTHS, MATCH_LENGTHS, type SequenceTables } from './zstd-sequences.js'

/** What a block is put together from: some literals, then a copy from some distance back; and so on. */
export interface Sequences {
  readonly literals: Uint32Array
  readonly distances: Uint32Array
  readonly copies: Uint32Array
}

/** The most that a block can say it has. */
const MOST_SEQUENCES = 0xffff + 0x7f00

export function createSequences(): Sequences {
  const create = () => new Uint32Array(MOST_SEQUENCES)
  return { literals: create(), distances: create(), copies: create() }
}

/**
 * Reads the sequences of a block from their bits, which start at the end. Three states take turns: one for each number. Bits
 * may be read that are not there, up to twelve bytes in front of `start`, before it is found out.
 */
export function readSequences(
  count: number,
  tables: SequenceTables,
  bits: DataView,
  start: number,
  end: number,
  recent: Int32Array,
  { literals, distances, copies }: Sequences,
): void {
  if (start >= end) throw corrupt('zstd')
  const first = 8 * start
  const { entries: literalEntries, log: literalLog } = tables.literals
  const { entries: offsetEntries, log: offsetLog } = tables.offsets
  const { entries: matchEntries, log: matchLog } = tables.matches
  const { bits: literalBits, base: literalBase } = LITERAL_LENGTHS
  const { bits: matchBits, base: matchBase } = MATCH_LENGTHS
  let at = 8 * (end - 1) + topBit(bits.getUint8(end - 1)) - literalLog
  let literalState = bitsAt(bits, at, literalLog)
  at -= offsetLog
  let offsetState = bitsAt(bits, at, offsetLog)
  at -= matchLog
  let matchState = bitsAt(bits, at, matchLog)

  for (let i = 0; ; i++) {
    const literal = literalEntries[literalState]
    const offset = offsetEntries[offsetState]
    const match = matchEntries[matchState]
    let width = offset & 0xff
    at -= width
    const value = width > 24 ? wideOffset(bits, at, width) : (1 << width) + bitsAt(bits, at, width)
    width = matchBits[match & 0xff]
    at -= width
    copies[i] = matchBase[match & 0xff] + bitsAt(bits, at, width)
    width = literalBits[literal & 0xff]
    at -= width
    const length = literalBase[literal & 0xff] + bitsAt(bits, at, width)
    literals[i] = length
    distances[i] = distanceOf(value, length === 0, recent)
    if (i === count - 1) break

    width = (literal >>> 8) & 0xff
    at -= width
    literalState = (literal >>> 16) + bitsAt(bits, at, width)
    width = (match >>> 8) & 0xff
    at -= width
    matchState = (match >>> 16) + bitsAt(bits, at, width)
    width = (offset >>> 8) & 0xff
    at -= width
    offsetState = (offset >>> 16) + bitsAt(bits, at, width)
    if (at < first) throw corrupt('zstd')
  }
  if (at !== first) throw corrupt('zstd')
}

/** The number in up to 25 bits from `at` on. */
function bitsAt(bits: DataView, at: number, count: number): number {
  return (bits.getUint32(at >>> 3, true) >>> (at & 7)) & ((1 << count) - 1)
}

function wideOffset(bits: DataView, at: number, count: number): number {
  return 2 ** count + bitsAt(bits, at, 16) + bitsAt(bits, at + 16, count - 16) * 2 ** 16
}

/** The values 1 to 3 stand for recent distances; without literals before the copy they are shifted by one. */
function distanceOf(value: number, isBare: boolean, recent: Int32Array): number {
  const index = value > 3 ? value : value - 1 + (isBare ? 1 : 0)
  if (index === 0) return recent[0]
  const distance = value > 3 ? value - 3 : index === 3 ? recent[0] - 1 : recent[index]
  if (index !== 1) recent[2] = recent[1]
  recent[1] = recent[0]
  recent[0] = distance
  return distance
}
