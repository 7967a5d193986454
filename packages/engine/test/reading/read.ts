import {
  createReader,
  type EntryBatch,
  type ReaderOptions,
  type ReaderSnapshot,
} from '../../src/scan/reading/reader.js'
import type { ReadingKernel } from '../../src/scan/reading/source.js'
import { latin1, type SlowEntry } from './slow-lines.js'

export interface ReadingWay {
  /** Where the data is divided into chunks. */
  readonly cuts?: readonly number[]
  /** Whether another reader continues from a snapshot after every chunk. */
  readonly restore?: boolean
  readonly options?: Partial<ReaderOptions>
}

export const NOW = new Date('2026-04-10T00:00:00Z')

/** An entry without its flags. */
export type ReadEntry = Omit<SlowEntry, 'flags'>

/** Reads data to the end and copies all entries from kernel memory. Texts have one character per byte. */
export function readAll(makeKernel: () => ReadingKernel, data: Uint8Array, way: ReadingWay = {}) {
  const { cuts = [], restore = false, options = {} } = way
  const warnings: string[] = []
  const entries: ReadEntry[] = []
  const flags: number[] = []
  const open = (snapshot?: ReaderSnapshot) => {
    const kernel = makeKernel()
    const warn = (message: string) => warnings.push(message)
    const reader = createReader(kernel, { now: NOW, warn, ...options, ...(snapshot && { snapshot }) })
    return { reader, deliver: (batch: EntryBatch) => takeEntries(kernel, batch, entries, flags) }
  }
  let { reader, deliver } = open()
  const chunkEnds = [...new Set([...cuts.filter((cut) => cut > 0 && cut < data.length), data.length])].sort(
    (a, b) => a - b,
  )
  chunkEnds.forEach((to, i) => {
    reader.push(data.subarray(chunkEnds[i - 1] ?? 0, to), deliver)
    if (restore) ({ reader, deliver } = open(JSON.parse(JSON.stringify(reader.snapshot()))))
  })
  reader.end(deliver)
  const { formats, lines, folded } = reader
  return { entries, flags, warnings, formats: formats.map(({ name }) => name), lines, folded }
}

function takeEntries({ memory }: ReadingKernel, batch: EntryBatch, entries: ReadEntry[], flags: number[]): void {
  const { count, textStart, textEnd, textFrom, textTo } = batch
  for (let i = 0; i < count; i++) {
    const before = i === 0 ? textFrom : textEnd[i - 1]
    if (textStart[i] < before || textEnd[i] > textTo) throw new Error('the texts of a batch are out of order')
    const text = latin1(memory.u8.subarray(textStart[i], textEnd[i]))
    entries.push({ timestamp: batch.timestamp[i], text, line: batch.line[i] })
    flags.push(batch.flags[i])
  }
}
