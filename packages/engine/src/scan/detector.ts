import type { PublicDetection } from '../match/detection.js'
import type { CompiledRules } from '../rules/compiled.js'
import type { ZoneOption } from '../time/zone.js'
import type { TimeCounts } from './clock.js'
import type { Warn } from './condition-tests.js'
import type { KernelFactory } from './kernel/kernel.js'
import { createPipeline, warnOnce } from './pipeline.js'
import { preparedFor } from './prepare.js'
import { type Chunks, piecesOf } from './read-entries.js'
import type { CustomTimestamp, ReadingFormat } from './reading/format.js'
import { createReader, type EntryBatch, type ReaderOptions } from './reading/reader.js'
import { openSnapshot, sealSnapshot } from './snapshot.js'

/** How data is read and matched. */
export interface DetectorOptions extends Omit<ReaderOptions, 'snapshot' | 'now'> {
  /** The type of the data, such as `cre.log.kafka`, which selects the rules. `*`, the default, selects every rule. */
  readonly source?: string
  /** Decides the year of layouts without one. Defaults to that of the snapshot, otherwise to the current time. */
  readonly now?: Date
  /**
   * Delivers entries in the order of their timestamps: each waits until one more than this many nanoseconds later has arrived.
   * An entry that comes after that is late, and rules with windows ignore it. 0, the default, keeps the order of the log.
   */
  readonly window?: bigint
  /** Ignores entries before this time; nanoseconds since 1970. */
  readonly since?: bigint
  /** Ignores entries after this time. */
  readonly until?: bigint
  /** Called once for each warning about the data or a rule. */
  readonly warn?: Warn
  /** Continues where the detector of this snapshot stopped. The rules, the source and the timestamp must be the same. */
  readonly snapshot?: Uint8Array
  /** Creates the kernel. Tests and debugging use it to run on the TypeScript twin: see docs/debugging-the-kernel.md. */
  readonly makeKernel?: KernelFactory
}

/** Finds problems in data that arrives in chunks. */
export interface Detector {
  /** Takes the next chunk of the data, divided anywhere, and returns the detections that are certain after it. */
  push(chunk: Uint8Array): PublicDetection[]
  /** The end of the data: everything pending is decided. */
  end(): PublicDetection[]
  /** Space to read the next chunk into without a copy; then call `commit` with the number of bytes. */
  space(): Uint8Array
  commit(bytes: number): PublicDetection[]
  /**
   * Matches the whole lines that were read so far, although more lines of the last entry may follow. Those are then matched
   * as a separate entry with its time. For following a log, when no data has arrived for a while.
   */
  flush(): PublicDetection[]
  /**
   * Matches the entries that wait within `window` and are not after this time, or all: entries before it are late from now
   * on. For following a log, when nothing came for as long as the window.
   */
  release(upTo?: bigint): PublicDetection[]
  /** The time up to which entries wait that `release` would match; undefined if none do. */
  readonly waitingUpTo: bigint | undefined
  /**
   * Another file of the same source begins: the last entry of the file before is complete, and the format is decided again,
   * with the configured timestamp and the zone of this file if it has them. Line numbers continue.
   */
  nextFile(timestamp?: CustomTimestamp, zone?: ZoneOption): PublicDetection[]
  /**
   * Resets the detector for other data of the same type. The result is the same as with a new detector, but much faster,
   * because the tables for the rules are kept. With a snapshot it continues from there.
   */
  restart(timestamp?: CustomTimestamp, snapshot?: Uint8Array, zone?: ZoneOption): void
  /** The state from which a new detector can continue. */
  snapshot(): Uint8Array
  /** How much this detector has read so far. */
  readonly progress: Progress
}

/** How much a detector has read. */
export interface Progress {
  readonly bytes: number
  /** Lines whose end was read. */
  readonly lines: number
  /** Entries that are complete. */
  readonly entries: number
  /** Entries that are neither before `since` nor after `until`. */
  readonly inRange: number
  /** Entries of these that came more than `window` after a later one: rules that keep state ignore them. */
  readonly late: number
  /** The smallest and the largest timestamp of all entries, also of those that are not in range; undefined if there are none. */
  readonly first: bigint | undefined
  readonly last: bigint | undefined
  /** The names of the formats so far, in the order in which they were found. None if no line has a time. */
  readonly formats: readonly string[]
  /** Lines that were folded into the entry before them. */
  readonly folded: number
}

/** The names of formats, each once. */
export function namesOf(formats: readonly ReadingFormat[]): string[] {
  return [...new Set(formats.map(({ name }) => name))]
}

/** Adds what a pipeline has counted. */
export function progressOf(
  { entries, inRange, late, first, last }: TimeCounts,
  read: Pick<Progress, 'bytes' | 'lines' | 'formats' | 'folded'>,
): Progress {
  return { ...read, entries, inRange, late, first, last }
}

/**
 * Creates a detector for rules from `compileRules` or `importRules`.
 *
 * @example
 * const detector = createDetector(rules, { source: 'cre.log.kafka' })
 * for (const chunk of chunks) for (const detection of detector.push(chunk)) show(detection)
 * for (const detection of detector.end()) show(detection)
 */
export function createDetector(rules: CompiledRules, options: DetectorOptions = {}): Detector {
  const {
    source = '*',
    window,
    since,
    until,
    snapshot,
    makeKernel = preparedFor(rules).makeKernel,
    ...reading
  } = options
  const saved = snapshot && openSnapshot(snapshot, rules, source)
  const now = options.now ?? (saved ? new Date(saved.now) : new Date())
  const warn = warnOnce(options.warn)
  const kernel = makeKernel()
  const reader = createReader(kernel, { ...reading, now, warn, ...(saved && { snapshot: saved.reader }) })
  const pipeline = createPipeline(kernel, rules, { source, now, window, since, until, warn, saved })
  let bytes = 0
  /** The number of lines in the files before this one. */
  let linesBefore = saved?.linesBefore ?? 0
  /** The formats and the folded lines of the files before this one. */
  let formatsBefore: readonly string[] = []
  let foldedBefore = 0
  const deliver = (batch: EntryBatch) => {
    if (linesBefore > 0) for (let i = 0; i < batch.count; i++) batch.line[i] += linesBefore
    pipeline.take(batch)
  }

  return {
    push(chunk) {
      bytes += chunk.length
      reader.push(chunk, deliver)
      return pipeline.found()
    },
    space: () => reader.space(),
    commit(count) {
      bytes += count
      reader.commit(count, deliver)
      return pipeline.found()
    },
    end() {
      reader.end(deliver)
      pipeline.end()
      return pipeline.found()
    },
    flush() {
      reader.flush(deliver)
      pipeline.reportLate()
      return pipeline.found()
    },
    release(upTo) {
      pipeline.release(upTo)
      return pipeline.found()
    },
    get waitingUpTo() {
      return pipeline.waitingUpTo
    },
    nextFile(timestamp, zone) {
      reader.end(deliver)
      linesBefore += reader.lines
      formatsBefore = [...formatsBefore, ...namesOf(reader.formats)]
      foldedBefore += reader.folded
      reader.nextFile(timestamp, zone)
      return pipeline.found()
    },
    restart(timestamp, snapshot, zone) {
      const from = snapshot && openSnapshot(snapshot, rules, source)
      bytes = foldedBefore = 0
      formatsBefore = []
      linesBefore = from?.linesBefore ?? 0
      reader.reopen(timestamp, zone, from?.reader)
      pipeline.restart(from)
      warn.forget()
    },
    snapshot: () =>
      sealSnapshot(rules, {
        source,
        now: now.toISOString(),
        linesBefore,
        reader: reader.snapshot(),
        ...pipeline.snapshot(),
      }),
    get progress() {
      return progressOf(pipeline.counts, {
        bytes,
        lines: linesBefore + reader.lines,
        formats: [...new Set([...formatsBefore, ...namesOf(reader.formats)])],
        folded: foldedBefore + reader.folded,
      })
    },
  }
}

/**
 * Scans data with rules and yields the detections in the order in which they fire.
 *
 * @example
 * const rules = await compileRules([{ name: 'kafka.yaml', text }])
 * for await (const detection of detect(rules, chunks, { source: 'cre.log.kafka' })) {
 *   console.log(detection.cre.id, detection.hits[0].entry)
 * }
 */
export async function* detect(
  rules: CompiledRules,
  chunks: Chunks,
  options: DetectorOptions = {},
): AsyncGenerator<PublicDetection> {
  const detector = createDetector(rules, options)
  for await (const piece of piecesOf(chunks)) yield* detector.push(piece)
  yield* detector.end()
}
