import type { PublicDetection } from '../match/detection.js'
import type { CompiledRules } from '../rules/compiled.js'
import type { KernelFactory } from './kernel/kernel.js'
import { createPipeline, warnOnce } from './pipeline.js'
import { preparedFor } from './prepare.js'
import { createReader, type EntryBatch, type ReaderOptions } from './reading/reader.js'
import { openSnapshot, sealSnapshot } from './snapshot.js'

/** How data is read and matched. */
export interface DetectorOptions extends Omit<ReaderOptions, 'snapshot' | 'now'> {
  /** The type of the data, such as `cre.log.kafka`: rules for it run. `*`, the default, runs every rule. */
  readonly source?: string
  /** Decides layouts without a year. Defaults to the time of the call. */
  readonly now?: Date
  /** Entries are put in the order of their timestamps within this many nanoseconds. Off by default. */
  readonly window?: bigint
  /** Told of what the data or a rule made impossible, once for each message. */
  readonly warn?: (message: string) => void
  /** Goes on where the detector that gave this snapshot stopped. The rules and the source must be the same. */
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
  const { source = '*', window, snapshot, makeKernel = preparedFor(rules).makeKernel, ...reading } = options
  const saved = snapshot && openSnapshot(snapshot, rules, source)
  const now = saved ? new Date(saved.now) : (options.now ?? new Date())
  const warn = warnOnce(options.warn)
  const kernel = makeKernel()
  const reader = createReader(kernel, { ...reading, now, warn, ...(saved && { snapshot: saved.reader }) })
  const pipeline = createPipeline(kernel, rules, { source, now, window, warn, saved })
  let bytes = 0
  let entries = 0
  const deliver = (batch: EntryBatch) => {
    entries += batch.count
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
    snapshot: () =>
      sealSnapshot(rules, { source, now: now.toISOString(), reader: reader.snapshot(), ...pipeline.snapshot() }),
    get progress() {
      return { bytes, lines: reader.lines, entries, format: reader.format?.name }
    },
  }
}
