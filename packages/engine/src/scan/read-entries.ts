import type { Entry } from '../match/detection.js'
import { decodeText } from './batch-entry.js'
import { loadKernel } from './kernel/kernel.js'
import type { KernelMemory } from './kernel/memory.js'
import { createReader, type EntryBatch, type ReaderOptions } from './reading/reader.js'

/** Data: one chunk, or an iterable of chunks. */
export type Chunks = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Larger chunks are divided into pieces of this size, so that the results of one call are bounded. */
const LARGEST = 1 << 20

/** Yields the data in pieces of at most 1 MiB. */
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
 * Reads data as entries, in the order of the log. Timestamps are in nanoseconds since 1970.
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
