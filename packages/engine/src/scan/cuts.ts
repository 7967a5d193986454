import type { DetectorOptions } from './detector.js'
import { loadKernel } from './kernel/kernel.js'
import { LONGEST } from './kernel/reading-layout.js'
import { createReader, endsEntry, type ReadingFormat, startsEntry } from './reading/reader.js'

/**
 * The formats in the first bytes of a file: the best guess for those before its later segments. None if no line of them has a
 * time.
 */
export async function findFormats(
  head: Uint8Array,
  options: Pick<DetectorOptions, 'now' | 'skip' | 'timestamp' | 'timestamps'> = {},
): Promise<readonly ReadingFormat[]> {
  const reader = createReader((await loadKernel())(), { ...options, now: options.now ?? new Date() })
  const drop = () => {}
  reader.push(head, drop)
  if (!reader.isDecided) reader.end(drop)
  return reader.formats
}

/** Whether a file with these formats can be divided: lines without a time get the time at which they are read. */
export function canBeCut(formats: readonly ReadingFormat[]): boolean {
  return formats.length > 0
}

const LINE_FEED = 10

/**
 * Where a file can be divided: the offset in `bytes` of the first line that certainly starts an entry, or, in container formats,
 * that is a record and follows the last piece of an entry; -1 if there is none. Only whole lines count, with a line feed before and
 * after them.
 */
export function findEntryStart(formats: readonly ReadingFormat[], bytes: Uint8Array): number {
  const mayHavePieces = formats[0].name === 'cri' || formats[0].name === 'docker'
  let isBetween = !mayHavePieces
  let start = bytes.indexOf(LINE_FEED) + 1
  while (start > 0) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    if (lineFeed < 0) return -1
    const end = bytes[lineFeed - 1] === 13 ? lineFeed - 1 : lineFeed
    // A line that is too long is cut before its time is read.
    const isLine = end > start && end - start <= LONGEST
    if (isBetween && isLine && startsEntry(formats, bytes, start, end)) return start
    if (mayHavePieces) isBetween = isLine && endsEntry(formats, bytes, start, end)
    start = lineFeed + 1
  }
  return -1
}
