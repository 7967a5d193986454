import type { DetectorOptions } from './detector.js'
import { loadKernel } from './kernel/kernel.js'
import { LONGEST } from './kernel/reading-layout.js'
import { createReader, endsEntry, type ReadingFormat, startsEntry } from './reading/reader.js'

/** Bytes per step: the first lines are usually much shorter, so one step is enough. */
const STEP = 16 * 1024

/** Decides the format of data on its first bytes; undefined if there are no lines in them. */
export async function decideFormat(
  head: Uint8Array,
  options: Pick<DetectorOptions, 'now' | 'skip' | 'timestamp' | 'timestamps'> = {},
): Promise<ReadingFormat | undefined> {
  const reader = createReader((await loadKernel())(), { ...options, now: options.now ?? new Date() })
  const drop = () => {}
  for (let at = 0; at < head.length && !reader.format; at += STEP) reader.push(head.subarray(at, at + STEP), drop)
  if (!reader.format) reader.end(drop)
  return reader.format
}

/** Whether a file of this format can be divided: lines without a time get the time at which they are read. */
export function canBeCut(format: ReadingFormat): boolean {
  return format.name !== 'none'
}

const LINE_FEED = 10

/**
 * Where a file can be divided: the offset in `bytes` of the first line that certainly starts an entry, or, in container formats,
 * that is a record and follows the last piece of an entry; -1 if there is none. Only whole lines count, with a line feed before and
 * after them.
 */
export function findEntryStart(format: ReadingFormat, bytes: Uint8Array): number {
  const mayHavePieces = format.name === 'cri' || format.name === 'docker'
  let isBetween = !mayHavePieces
  let start = bytes.indexOf(LINE_FEED) + 1
  while (start > 0) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    if (lineFeed < 0) return -1
    const end = bytes[lineFeed - 1] === 13 ? lineFeed - 1 : lineFeed
    // A line that is too long is cut before its time is read.
    const isLine = end > start && end - start <= LONGEST
    if (isBetween && isLine && startsEntry(format, bytes, start, end)) return start
    if (mayHavePieces) isBetween = isLine && endsEntry(format, bytes, start, end)
    start = lineFeed + 1
  }
  return -1
}
