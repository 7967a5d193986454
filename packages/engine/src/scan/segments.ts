import type { PublicDetection } from '../match/detection.js'
import type { CompiledRules } from '../rules/compiled.js'
import { createConditionTests } from './condition-tests.js'
import { type DetectorOptions, namesOf, type Progress, progressOf } from './detector.js'
import type { MatchBatch } from './match-batch.js'
import { createPipeline, warnOnce } from './pipeline.js'
import { preparedFor, selectRules } from './prepare.js'
import { createReader, type EntryBatch, isSameSeam, type ReadingFormat, type Seam } from './reading/reader.js'
import { createScanner } from './scanner.js'

/** How segments are scanned: as by a detector. */
export type SegmentOptions = Omit<DetectorOptions, 'snapshot' | 'window' | 'since' | 'until' | 'formats'>

/** The matches of a segment: plain data that can be sent to another thread. */
export interface ScannedSegment {
  readonly batches: readonly MatchBatch[]
  /** The number of bytes and of lines in the segment. */
  readonly bytes: number
  readonly lines: number
  /** How many of its lines were folded into the entry before them. */
  readonly folded: number
  /** Whether its first time without a zone occurs twice, because clocks were set back: its times depend on what was before. */
  readonly repeatedHour: boolean
  /** What was assumed of the data before the segment, and what is known after it. */
  readonly before: Seam
  readonly after: Seam
}

/** Scans segments of a file independently of each other. */
export interface SegmentScanner {
  /** Starts a segment after a seam: one that is assumed, or that of a merger. */
  begin(seam: Seam): void
  /** Space for the next bytes of the segment; then call `commit` with their number. */
  space(): Uint8Array
  commit(bytes: number): void
  /** Ends the segment. In the last one of a file nothing goes on in the next. */
  end(isLast: boolean): ScannedSegment
}

/** What is certain at the start of a file. */
const START: Seam = { lines: 0 }

/**
 * What is assumed at the start of a segment: that the data before it has had these formats, and that no entry goes on in it. At the
 * start of a file nothing is.
 */
export function assumedSeam(formats: readonly ReadingFormat[], isStart: boolean): Seam {
  return isStart ? START : { formats, lines: 1 }
}

/**
 * Creates a scanner for segments: ranges of a file that start at the start of an entry. Several scanners on several threads
 * do the work of one detector; `createMerger` combines their results.
 *
 * @example
 * scanner.begin(assumedSeam(formats, false))
 * scanner.space().set(bytes)
 * scanner.commit(bytes.length)
 * const segment = scanner.end(false)
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
  let before = START
  const deliver = (batch: EntryBatch) => batches.push(detached(scanner.scan(batch)))

  return {
    begin(seam) {
      batches = []
      bytes = 0
      before = seam
      reader.restart(seam)
    },
    space: () => reader.space(),
    commit(count) {
      bytes += count
      reader.commit(count, deliver)
    },
    end(isLast) {
      if (isLast) reader.end(deliver)
      const after = reader.pause(deliver)
      const { startsRepeated: repeatedHour } = reader.localTime
      const { lines, folded } = reader
      return { batches, bytes, lines: lines - before.lines, folded, repeatedHour, before, after }
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
  /** What is known after the segments that were delivered. */
  readonly seam: Seam
  /** Whether what was assumed of the data before the next segment is right. Otherwise the segment is scanned again after `seam`. */
  accepts(segment: ScannedSegment): boolean
  deliver(segment: ScannedSegment): PublicDetection[]
  end(): PublicDetection[]
  /** Matches what waits for its order, if no more segments follow although the file goes on. */
  release(): PublicDetection[]
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
  let folded = 0
  let seam = START
  return {
    get seam() {
      return seam
    },
    accepts: ({ before, repeatedHour }) => isSameSeam(before, seam) && !(repeatedHour && seam.localTime),
    deliver({ batches, before, after, ...segment }) {
      for (const batch of batches) {
        for (let i = 0; i < batch.matches; i++) batch.line[i] += lines - before.lines
        pipeline.deliver(batch)
      }
      bytes += segment.bytes
      lines += segment.lines
      folded += segment.folded
      seam = { ...(seam.localTime && { localTime: seam.localTime }), ...after }
      return pipeline.found()
    },
    end() {
      pipeline.end()
      return pipeline.found()
    },
    release() {
      pipeline.release()
      pipeline.reportLate()
      return pipeline.found()
    },
    get progress() {
      return progressOf(pipeline.counts, { bytes, lines, formats: namesOf(seam.formats ?? []), folded })
    },
  }
}
