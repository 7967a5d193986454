import type { PublicDetection } from '../match/detection.js'
import type { CompiledRules } from '../rules/compiled.js'
import { createConditionTests } from './condition-tests.js'
import { type DetectorOptions, type Progress, progressOf } from './detector.js'
import { loadKernel } from './kernel/kernel.js'
import type { MatchBatch } from './match-batch.js'
import { createPipeline, warnOnce } from './pipeline.js'
import { preparedFor, selectRules } from './prepare.js'
import type { LocalTimeState } from './reading/local-time.js'
import { createReader, type EntryBatch, type ReadingFormat, startsEntry } from './reading/reader.js'
import { createScanner } from './scanner.js'

/** How segments are scanned: as by a detector, in a known format. */
export type SegmentOptions = Omit<DetectorOptions, 'snapshot' | 'window' | 'since' | 'until' | 'format'> & {
  readonly format: ReadingFormat
}

/** The matches of a segment: plain data that can be sent to another thread. */
export interface ScannedSegment {
  readonly batches: readonly MatchBatch[]
  /** The number of bytes and of lines in the segment. */
  readonly bytes: number
  readonly lines: number
  /**
   * Whether its first time without a zone occurs twice, because clocks were set back. Its times then depend on what was read
   * before: scan it again with `continueFrom`.
   */
  readonly repeatedHour: boolean
  /** Where the local time is at its end; undefined if nothing depends on it. */
  readonly localTime: LocalTimeState | undefined
}

/** Scans segments of a file independently of each other. */
export interface SegmentScanner {
  /** Space for the next bytes of the segment; then call `commit` with their number. */
  space(): Uint8Array
  commit(bytes: number): void
  /** Begins a segment where the local time was at the end of the segments before it. */
  continueFrom(localTime: LocalTimeState | undefined): void
  /** Ends the segment. The scanner is then ready for another one. */
  end(): ScannedSegment
}

/**
 * Creates a scanner for segments: ranges of a file that start at the start of an entry. Several scanners on several threads
 * do the work of one detector; `createMerger` combines their results.
 */
export function createSegmentScanner(rules: CompiledRules, options: SegmentOptions): SegmentScanner {
  const { source = '*', makeKernel = preparedFor(rules).makeKernel, now = new Date(), ...reading } = options
  const warn = warnOnce(options.warn)
  const kernel = makeKernel()
  const active = selectRules(rules, source)
  const reader = createReader(kernel, { ...reading, now, warn })
  const scanner = createScanner(
    kernel,
    active.conditions,
    createConditionTests(active, preparedFor(rules).modules, { now, warn }),
  )
  let batches: MatchBatch[] = []
  let bytes = 0
  const deliver = (batch: EntryBatch) => batches.push(detached(scanner.scan(batch)))

  return {
    space: () => reader.space(),
    commit(count) {
      bytes += count
      reader.commit(count, deliver)
    },
    continueFrom: (localTime) => reader.localTime.restore(localTime),
    end() {
      reader.end(deliver)
      const { lines, localTime } = reader
      const segment = { batches, bytes, lines, repeatedHour: localTime.startsRepeated, localTime: localTime.save() }
      batches = []
      bytes = 0
      reader.restart()
      return segment
    },
  }
}

/** Copies the arrays that the scanner will overwrite. */
function detached(batch: MatchBatch): MatchBatch {
  const { matches } = batch
  const conditions = matches === 0 ? 0 : batch.conditionsEnd[matches - 1]
  return {
    timestamps: batch.timestamps.slice(),
    matches,
    entry: batch.entry.slice(0, matches),
    line: batch.line.slice(0, matches),
    textStart: batch.textStart.slice(0, matches),
    textEnd: batch.textEnd.slice(0, matches),
    text: batch.text,
    conditionsEnd: batch.conditionsEnd.slice(0, matches),
    conditions: batch.conditions.slice(0, conditions),
  }
}

/** The buffers of a segment, to be transferred to another thread instead of copied. */
export function buffersOf({ batches }: ScannedSegment): ArrayBuffer[] {
  return batches.flatMap((batch) =>
    [
      batch.timestamps,
      batch.entry,
      batch.line,
      batch.textStart,
      batch.textEnd,
      batch.text,
      batch.conditionsEnd,
      batch.conditions,
    ].map((array) => array.buffer as ArrayBuffer),
  )
}

/** Runs the rules over scanned segments, in the order of the file. */
export interface Merger {
  deliver(segment: ScannedSegment): PublicDetection[]
  end(): PublicDetection[]
  /** How much was delivered: the same as that of a detector that has read these segments. */
  readonly progress: Progress
}

/** Creates the merger, which has the rule state while several threads scan. */
export function createMerger(rules: CompiledRules, options: DetectorOptions = {}): Merger {
  const { source = '*', now = new Date(), window, since, until, makeKernel = preparedFor(rules).makeKernel } = options
  const warn = warnOnce(options.warn)
  const pipeline = createPipeline(makeKernel(), rules, { source, now, window, since, until, warn })
  let bytes = 0
  let lines = 0
  return {
    deliver(segment) {
      for (const batch of segment.batches) {
        for (let i = 0; i < batch.matches; i++) batch.line[i] += lines
        pipeline.deliver(batch)
      }
      bytes += segment.bytes
      lines += segment.lines
      return pipeline.found()
    },
    end() {
      pipeline.end()
      return pipeline.found()
    },
    get progress() {
      return progressOf(pipeline.counts, { bytes, lines, format: options.format?.name })
    },
  }
}

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

/**
 * Whether a file of this format can be divided at single lines. Container records may be pieces of an entry that started
 * much earlier, and lines without a time get the time at which they are read.
 */
export function canBeCut(format: ReadingFormat): boolean {
  return !['none', 'cri', 'docker'].includes(format.name)
}

const LINE_FEED = 10

/**
 * Where a file can be divided: the offset in `bytes` of the first line that certainly starts an entry, or -1. Only whole
 * lines count, with a line feed before and after them.
 */
export function findEntryStart(format: ReadingFormat, bytes: Uint8Array): number {
  let start = bytes.indexOf(LINE_FEED) + 1
  while (start > 0) {
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    if (lineFeed < 0) return -1
    const end = bytes[lineFeed - 1] === 13 ? lineFeed - 1 : lineFeed
    if (end > start && startsEntry(format, bytes, start, end)) return start
    start = lineFeed + 1
  }
  return -1
}
