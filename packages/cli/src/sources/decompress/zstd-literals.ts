import { corrupt } from './decompressor.js'
import { MOST_BLOCK } from './zstd-history.js'
import { decodeHuffman, type HuffmanTable, readHuffmanTable } from './zstd-huffman.js'

/** The literals of a block: bytes that are not copies of earlier ones. */
export interface Literals {
  readonly length: number
  /** Where what follows them starts. */
  readonly end: number
  /** The code to go on with. */
  readonly table: HuffmanTable | undefined
}

const RAW = 0
const RUN = 1
const COMPRESSED = 2

/** How the sizes are written, by two bits of the first byte: bytes of the header, bits of each size, number of streams. */
const PLAIN_SIZES = [
  { header: 1, shift: 3 },
  { header: 2, shift: 4 },
  { header: 1, shift: 3 },
  { header: 3, shift: 4 },
] as const
const PACKED_SIZES = [
  { header: 3, width: 10, streams: 1 },
  { header: 3, width: 10, streams: 4 },
  { header: 4, width: 14, streams: 4 },
  { header: 5, width: 18, streams: 4 },
] as const

/** Reads the literals at the start of a block into `into`. */
export function readLiterals(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  before: HuffmanTable | undefined,
): Literals {
  const type = bytes[start] & 3
  const form = (bytes[start] >>> 2) & 3
  if (start >= end) throw corrupt('zstd')
  if (type === RAW || type === RUN) {
    const { header, shift } = PLAIN_SIZES[form]
    const length = numberAt(bytes, start, header) >>> shift
    const from = start + header
    const next = from + (type === RAW ? length : 1)
    if (length > MOST_BLOCK || next > end) throw corrupt('zstd')
    if (type === RAW) into.set(bytes.subarray(from, next))
    else into.fill(bytes[from], 0, length)
    return { length, end: next, table: before }
  }
  const { header, width, streams } = PACKED_SIZES[form]
  const sizes = Math.floor(numberAt(bytes, start, header) / 16)
  const length = sizes % 2 ** width
  const from = start + header
  const next = from + Math.floor(sizes / 2 ** width)
  if (length > MOST_BLOCK || next > end) throw corrupt('zstd')
  const own = type === COMPRESSED ? readHuffmanTable(bytes, from, next) : { table: before, end: from }
  if (!own.table) throw corrupt('zstd')
  const decode = streams === 1 ? decodeOne : decodeFour
  decode(own.table, bytes, own.end, next, into, length)
  return { length, end: next, table: own.table }
}

/** The number in up to five bytes, the lowest first. */
function numberAt(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[at + i]
  return value
}

type Decode = (
  table: HuffmanTable,
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  length: number,
) => void

const decodeOne: Decode = (table, bytes, start, end, into, length) => {
  decodeHuffman(table, bytes, start, end, into, 0, length)
}

/** The sizes of three streams stand before all four; each gives a quarter of the bytes, rounded up, the last one the rest. */
const decodeFour: Decode = (table, bytes, start, end, into, length) => {
  let from = start + 6
  const quarter = (length + 3) >>> 2
  if (from > end || 3 * quarter > length) throw corrupt('zstd')
  for (let stream = 0; stream < 4; stream++) {
    const size = numberAt(bytes, start + 2 * stream, 2)
    const next = stream === 3 ? end : from + size
    if (next > end) throw corrupt('zstd')
    decodeHuffman(table, bytes, from, next, into, stream * quarter, stream === 3 ? length : (stream + 1) * quarter)
    from = next
  }
}
