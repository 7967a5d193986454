import type { PublicDetection } from '../match/detection.js'
import type { CompiledRules } from '../rules/compiled.js'
import type { KernelFactory } from './kernel/kernel.js'
import { createPipeline, warnOnce } from './pipeline.js'
import { preparedFor } from './prepare.js'
import { type Chunks, piecesOf } from './read-entries.js'
import type { CustomTimestamp } from './reading/format.js'
import { createReader, type EntryBatch, type ReaderOptions } from './reading/reader.js'
import { openSnapshot, sealSnapshot } from './snapshot.js'

/** How data is read and matched. */
export interface DetectorOptions extends Omit<ReaderOptions, 'snapshot' | 'now'> {
  /** The type of the data, such as `cre.log.kafka`: rules for it run. `*`, the default, runs every rule. */
  readonly source?: string
  /** Decides layouts without a year. Defaults to that of the snapshot, else to the time of the call. */
  readonly now?: Date
  /** Entries are put in the order of their timestamps within this many nanoseconds. Off by default. */
  readonly window?: bigint
  /** Entries before this time are as if they were not there; nanoseconds since 1970. */
  readonly since?: bigint
  /** Entries after this time are as if they were not there. */
  readonly until?: bigint
  /** Told of what the data or a rule made impossible, once for each message. */
  readonly warn?: (message: string) => void
  /** Goes on where the detector that gave this snapshot stopped. The rules, the source and the timestamp must be the same. */
  readonly snapshot?: Uint8Array
  /** Makes the kernel: tests compare kernels with it. */
  readonly makeKernel?: KernelFactory
}

/** Finds problems in data that arrives piece by piece. */
export interface Detector {
  /** Takes the next piece of the data, cut anywhere, and returns the detections that it makes certain. */
  push(chunk: Uint8Array): PublicDetection[]
  /** The end of the data: everything pending is decided. */
  end(): PublicDetection[]
  /** Room to read the next piece into without a copy; then call `commit` with the number of bytes. */
  space(): Uint8Array
  commit(bytes: number): PublicDetection[]
  /**
   * Nothing has come for a while, and more may: whole lines that were read are matched at once, though lines that belong to
   * the last of them could follow. Those are then matched on their own, with its time.
   */
  flush(): PublicDetection[]
  /**
   * Another file of the same source begins: the last entry of the one before is complete, and the format is decided anew,
   * with this file's own timestamp where it has one. Lines are counted on.
   */
  nextFile(timestamp?: CustomTimestamp): PublicDetection[]
  /**
   * Makes the detector ready for other data of the same type, as a new one would be, but much faster: what was built for the
   * rules stays. With a snapshot it goes on from there.
   */
  restart(timestamp?: CustomTimestamp, snapshot?: Uint8Array): void
  /** Everything that a new detector needs to go on from here. */
  snapshot(): Uint8Array
  /** How much has been read so far, by this detector alone. */
  readonly progress: Progress
}

/** How much a detector has read. */
export interface Progress {
  readonly bytes: number
  /** Lines whose end has been seen. */
  readonly lines: number
  /** Entries that are complete. */
  readonly entries: number
  /** The name of the format that was decided on, once it was. */
  readonly format: string | undefined
}

/**
 * Makes a detector for rules that `compileRules` or `importRules` gave.
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
  let entries = 0
  /** Lines of the files before this one. */
  let linesBefore = saved?.linesBefore ?? 0
  const deliver = (batch: EntryBatch) => {
    entries += batch.count
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
      return pipeline.found()
    },
    nextFile(timestamp) {
      reader.end(deliver)
      linesBefore += reader.lines
      reader.reopen(timestamp)
      return pipeline.found()
    },
    restart(timestamp, snapshot) {
      const from = snapshot && openSnapshot(snapshot, rules, source)
      bytes = entries = 0
      linesBefore = from?.linesBefore ?? 0
      reader.reopen(timestamp, from?.reader)
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
      return { bytes, lines: linesBefore + reader.lines, entries, format: reader.format?.name }
    },
  }
}

/**
 * Scans data with rules and gives the detections in the order in which they fire.
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
