import { setImmediate as otherWork } from 'node:timers/promises'
import {
  type CompiledRules,
  createMerger,
  createSegmentScanner,
  type Detection,
  exportRules,
  type ReadingFormat,
  type ScannedSegment,
} from '@omen/engine'
import type { Crew } from './crew.js'
import { COUNTERS, createCounters } from './protocol.js'
import { cutIntoSegments, scanSegment } from './segments.js'

/** A file to scan, open for reading. */
export interface ThreadedFile {
  readonly path: string
  readonly file: number
  readonly size: number
  readonly format: ReadingFormat
}

export interface ThreadOptions {
  readonly now: Date
  readonly warn: (message: string) => void
}

/** A worker that died says so by an event, so the events get a turn at least this often. */
const LONGEST_WAIT_MS = 500

/**
 * Scans a file on several threads, this one included. Each takes the next segment that nobody has; the results are
 * delivered in the order of the file, so what is found does not depend on the number of threads. Returns the number of
 * lines.
 */
export async function scanOnThreads(
  { path, file, size, format }: ThreadedFile,
  crew: Crew,
  rules: CompiledRules,
  { now, warn }: ThreadOptions,
  found: (detections: Detection[]) => void,
): Promise<number> {
  const counters = createCounters()
  crew.begin({ path, size, format, now: now.toISOString(), rules: exportRules(rules), counters })
  const shared = new Int32Array(counters)
  const scanner = createSegmentScanner(rules, { format, now, warn })
  const merger = createMerger(rules, { now, warn })
  const segments = cutIntoSegments(file, size, format)
  const { count } = segments
  const ready = new Map<number, ScannedSegment>()
  let lines = 0

  function receive(): void {
    for (const message of crew.receive()) {
      if ('error' in message) throw new Error(message.error)
      if ('warning' in message) warn(message.warning)
      else ready.set(message.index, message.segment)
    }
  }

  /** Delivers what is ready, in the order of the file, and says how much has been delivered in all. */
  function deliver(): number {
    let next = Atomics.load(shared, COUNTERS.delivered)
    for (let segment = ready.get(next); segment; segment = ready.get(next)) {
      ready.delete(next)
      found(merger.deliver(segment))
      lines += segment.lines
      Atomics.store(shared, COUNTERS.delivered, ++next)
      Atomics.notify(shared, COUNTERS.delivered)
    }
    return next
  }

  for (;;) {
    const sent = Atomics.load(shared, COUNTERS.sent)
    receive()
    if (deliver() === count) break
    const index = Atomics.add(shared, COUNTERS.next, 1)
    if (index < count) {
      ready.set(index, scanSegment(scanner, file, segments, index))
    } else if (deliver() < count) {
      Atomics.wait(shared, COUNTERS.sent, sent, LONGEST_WAIT_MS)
      await otherWork()
    }
  }
  found(merger.end())
  return lines
}
