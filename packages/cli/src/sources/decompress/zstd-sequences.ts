import { corrupt } from './decompressor.js'
import { createFseTable, type FseTable, readFseTable, singleTable } from './zstd-fse.js'

/** The codes of a block's sequences: how many literals, from how far back, how long a copy. */
export interface SequenceTables {
  readonly literals: FseTable
  readonly offsets: FseTable
  readonly matches: FseTable
}

/** What stands before the sequences of a block. */
export interface SequencesHeader {
  readonly count: number
  readonly tables: SequenceTables | undefined
  /** Where their bits start. */
  readonly end: number
}

/** For each code of a length: the number of further bits, and what to add to them. */
export interface LengthCodes {
  readonly bits: Uint8Array
  readonly base: Uint32Array
}

function lengthCodes(plain: number, first: number, bits: readonly number[]): LengthCodes {
  const all = [...new Array<number>(plain).fill(0), ...bits]
  let base = first
  return {
    bits: Uint8Array.from(all),
    base: Uint32Array.from(all, (count) => {
      const start = base
      base += 2 ** count
      return start
    }),
  }
}

export const LITERAL_LENGTHS = lengthCodes(16, 0, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
export const MATCH_LENGTHS = lengthCodes(32, 3, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])

const KINDS = {
  literals: {
    most: 35,
    mostLog: 9,
    log: 6,
    shares: [4, 3, ...repeat(2, 11), ...repeat(1, 3), ...repeat(2, 9), 3, 2, ...repeat(1, 5), ...repeat(-1, 4)],
  },
  offsets: {
    most: 31,
    mostLog: 8,
    log: 5,
    shares: [...repeat(1, 6), ...repeat(2, 3), ...repeat(1, 15), ...repeat(-1, 5)],
  },
  matches: { most: 52, mostLog: 9, log: 6, shares: [1, 4, 3, ...repeat(2, 6), ...repeat(1, 37), ...repeat(-1, 7)] },
} as const

function repeat(share: number, times: number): number[] {
  return new Array<number>(times).fill(share)
}

type Kind = keyof typeof KINDS

const ORDER: readonly Kind[] = ['literals', 'offsets', 'matches']

const PREDEFINED = 0
const SINGLE = 1
const DESCRIBED = 2

const predefined: { [kind in Kind]?: FseTable } = {}

/** Reads how many sequences a block has, and with which tables they are written. */
export function readSequencesHeader(
  bytes: Uint8Array,
  start: number,
  end: number,
  before: SequenceTables | undefined,
): SequencesHeader {
  if (start >= end) throw corrupt('zstd')
  const first = bytes[start]
  if (first === 0) return { count: 0, tables: before, end: start + 1 }
  let at = start + (first < 128 ? 1 : first < 255 ? 2 : 3)
  const count = countOf(first, bytes[start + 1], bytes[start + 2])
  const modes = bytes[at++]
  if (at > end || (modes & 3) !== 0) throw corrupt('zstd')
  const tables = ORDER.map((kind, index) => {
    const mode = (modes >>> (6 - 2 * index)) & 3
    const read = readTable(kind, mode, bytes, at, end, before)
    at = read.end
    return read.table
  })
  const [literals, offsets, matches] = tables
  return { count, tables: { literals, offsets, matches }, end: at }
}

function countOf(first: number, second: number, third: number): number {
  if (first < 128) return first
  if (first < 255) return ((first - 128) << 8) + second
  return second + (third << 8) + 0x7f00
}

function readTable(
  kind: Kind,
  mode: number,
  bytes: Uint8Array,
  at: number,
  end: number,
  before: SequenceTables | undefined,
): { readonly table: FseTable; readonly end: number } {
  const { most, mostLog, log, shares } = KINDS[kind]
  if (mode === PREDEFINED) {
    predefined[kind] ??= createFseTable(shares, log)
    return { table: predefined[kind], end: at }
  }
  if (mode === SINGLE) {
    if (at >= end || bytes[at] > most) throw corrupt('zstd')
    return { table: singleTable(bytes[at]), end: at + 1 }
  }
  if (mode === DESCRIBED) return readFseTable(bytes, at, end, most, mostLog)
  const table = before?.[kind]
  if (!table) throw corrupt('zstd')
  return { table, end: at }
}
