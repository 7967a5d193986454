import type { Entry } from '../match/detection.js'
import { decodeText } from './batch-entry.js'
import { loadKernel } from './kernel/kernel.js'
import type { KernelMemory } from './kernel/memory.js'
import { createReader, type EntryBatch, type ReaderOptions } from './reading/reader.js'

/** Data: one piece, or anything that gives pieces one after the other. */
export type Chunks = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Pieces are cut to this size, so that what one call finds stays bounded however large a piece is. */
const LARGEST = 1 << 20

/** Gives the pieces of data, none larger than 1 MiB. */
export async function* piecesOf(chunks: Chunks): AsyncGenerator<Uint8Array> {
  if (chunks instanceof Uint8Array) {
    yield* cut(chunks)
    return
  }
  for await (const chunk of chunks) yield* cut(chunk)
}

function* cut(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += LARGEST) yield chunk.subarray(at, at + LARGEST)
}

/** How entries are read. */
export type ReadOptions = Omit<ReaderOptions, 'snapshot' | 'now'> & { readonly now?: Date }

/**
 * Reads data as entries: a timestamp in nanoseconds since 1970 and a text each, in the order of the log.
 *
 * @example
 * for await (const entry of readEntries(chunks)) console.log(entry.timestamp, entry.text)
 */
export async function* readEntries(chunks: Chunks, options: ReadOptions = {}): AsyncGenerator<Entry> {
  const kernel = (await loadKernel())()
  const reader = createReader(kernel, { ...options, now: options.now ?? new Date() })
  let entries: Entry[] = []
  const collect = (batch: EntryBatch) => {
    const { memory } = kernel
    for (let i = 0; i < batch.count; i++) entries.push(entryOf(batch, i, memory))
  }
  for await (const piece of piecesOf(chunks)) {
    reader.push(piece, collect)
    yield* entries
    entries = []
  }
  reader.end(collect)
  yield* entries
}

function entryOf(batch: EntryBatch, index: number, memory: KernelMemory): Entry {
  const text = decodeText(memory.u8, batch.textStart[index], batch.textEnd[index])
  return { timestamp: batch.timestamp[index], text, line: batch.line[index] }
}
