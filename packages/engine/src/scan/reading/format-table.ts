import { screenOf } from '../../time/screen.js'
import { ROW, TABLE } from '../kernel/reading-layout.js'
import { builtInFormats, type LineFormat } from './format.js'

let table: Uint8Array | undefined

/**
 * The table of formats for the kernel: see TABLE. All addresses in it are relative to its start, so that it is made once. That takes
 * some milliseconds, because every format is compiled.
 */
export function formatTable(): Uint8Array {
  table ??= makeTable(builtInFormats().filter(({ isDiscovered }) => isDiscovered))
  return table
}

function makeTable(formats: readonly LineFormat[]): Uint8Array {
  const parts: Uint8Array[] = []
  let end = 0
  const put = (part: Uint8Array): number => {
    const padded = new Uint8Array((part.length + 3) & ~3)
    padded.set(part)
    parts.push(padded)
    end += padded.length
    return end - padded.length
  }
  const lists = new Uint32Array(TABLE.size / 4)
  put(new Uint8Array(lists.buffer))
  const rows = formats.map((format) => put(rowOf(format, put(format.program!))))
  const known = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) {
    const fitting = formats.flatMap(({ firstBytes }, i) => (!firstBytes || firstBytes[byte] === 1 ? [i] : []))
    const name = String.fromCharCode(...fitting)
    let list = known.get(name)
    if (list === undefined) {
      list = put(new Uint8Array(Uint32Array.from([...fitting.map((i) => rows[i]), 0]).buffer))
      known.set(name, list)
    }
    lists[TABLE.lists / 4 + byte] = list
  }
  parts[0].set(new Uint8Array(lists.buffer))
  const bytes = new Uint8Array(end)
  parts.reduce((at, part) => {
    bytes.set(part, at)
    return at + part.length
  }, 0)
  return bytes
}

function rowOf(format: LineFormat, program: number): Uint8Array {
  const row = new Uint8Array(ROW.size)
  const words = new Uint32Array(row.buffer)
  words[ROW.program >> 2] = program
  words[ROW.text >> 2] = format.text
  words[ROW.row >> 2] = format.row
  words[ROW.rank >> 2] = format.rank
  words[ROW.screen >> 2] = screenOf(format.program!)
  words[ROW.flags >> 2] = format.flags
  row.set(firstBits(format), ROW.firstBytes)
  return row
}

/** The bytes with which a line of a format can start, as 256 bits. */
export function firstBits({ firstBytes }: LineFormat): Uint8Array {
  const bits = new Uint8Array(32).fill(firstBytes ? 0 : 255)
  firstBytes?.forEach((isFirst, byte) => {
    if (isFirst === 1) bits[byte >> 3] |= 1 << (byte & 7)
  })
  return bits
}
