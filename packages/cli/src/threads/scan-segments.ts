import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  assumedSeam,
  type CompiledRules,
  createMerger,
  createSegmentScanner,
  type Detection,
  type DetectorOptions,
  exportRules,
  type ReadingFormat,
  type ScannedSegment,
  type Seam,
  type Warn,
} from '@omen/engine'
import { type Amount, amountOf } from '../matching/events.js'
import type { Pace } from '../matching/pace.js'
import { engineZone } from '../sources/zone.js'
import { COUNTERS, createCounters, MAX_WAIT_MS, mostAhead } from './protocol.js'
import { cutIntoSegments, scanSegment } from './segments.js'
import type { WorkerPool } from './worker-pool.js'

/** A file to scan, open for reading. */
export interface ThreadedFile {
  readonly path: string
  readonly file: number
  readonly size: number
  /** The formats in its first bytes: they are assumed before each of its segments. */
  readonly formats: readonly ReadingFormat[]
  readonly zone: string | undefined
}

/** Receives the results while the segments of a file are scanned. */
export interface SegmentEvents {
  found(detections: readonly Detection[]): void
  advanced(bytes: number, lines: number): void
}

/**
 * Scans a file on several threads, including this one. Each takes the next free segment, and assumes that no entry goes on in it;
 * the results are delivered in the order of the file, after those with a wrong assumption were scanned again. So what is found
 * does not depend on the number of threads. Returns how much was delivered: all of it, unless the scan was stopped.
 */
export async function scanSegments(
  { path, file, size, formats, zone }: ThreadedFile,
  workerPool: WorkerPool,
  rules: CompiledRules,
  options: DetectorOptions & { readonly now: Date; readonly warn: Warn },
  events: SegmentEvents,
  pace: Pace,
): Promise<Amount> {
  const counters = createCounters()
  const { source = '*', now, skip = 50, warn } = options
  const forWorkers = { source, now, skip }
  const ahead = mostAhead(workerPool.size + 1)
  workerPool.begin({
    kind: 'segments',
    path,
    size,
    formats,
    zone,
    options: forWorkers,
    rules: exportRules(rules),
    counters,
    mostAhead: ahead,
  })
  const shared = new Int32Array(counters)
  const scanner = createSegmentScanner(rules, { ...forWorkers, zone: engineZone(zone), warn })
  const merger = createMerger(rules, options)
  const segments = cutIntoSegments(file, size, formats, pace)
  const { count } = segments
  const ready = new Map<number, ScannedSegment>()
  let lines = 0
  let bytes = 0

  function receive(): void {
    for (const message of workerPool.receive()) {
      if ('error' in message) throw new Error(message.error)
      if ('warning' in message) warn(message.warning, message.subject)
      if ('segment' in message) ready.set(message.index, message.segment)
    }
  }

  function scan(index: number, seam: Seam): Promise<ScannedSegment | undefined> {
    return scanSegment(scanner, file, segments, index, seam, pace)
  }

  /** Takes the next free segment, unless it is too far ahead: another thread may be slow, and the results are kept until then. */
  function takeNext(limit: number): number | undefined {
    if (Atomics.load(shared, COUNTERS.next) >= Math.min(limit, count)) return undefined
    const index = Atomics.add(shared, COUNTERS.next, 1)
    return index < count ? index : undefined
  }

  /** Delivers what is ready, in the order of the file. Returns the number of segments delivered in total. */
  async function deliver(): Promise<number> {
    let next = Atomics.load(shared, COUNTERS.delivered)
    for (let scanned = ready.get(next); scanned; scanned = ready.get(next)) {
      const segment = merger.accepts(scanned) ? scanned : await scan(next, merger.seam)
      if (!segment) return next
      ready.delete(next)
      events.found(merger.deliver(segment))
      lines += segment.lines
      Atomics.store(shared, COUNTERS.delivered, ++next)
      Atomics.notify(shared, COUNTERS.delivered)
      const reached = next === count ? size : await segments.start(next)
      if (!pace.stopped) bytes = reached
      events.advanced(bytes, lines)
    }
    return next
  }

  try {
    while (!pace.stopped) {
      const sent = Atomics.load(shared, COUNTERS.sent)
      receive()
      const delivered = await deliver()
      if (delivered === count) break
      const index = takeNext(delivered + ahead)
      if (index !== undefined) {
        const segment = await scan(index, assumedSeam(formats, index === 0))
        if (segment) ready.set(index, segment)
      } else {
        Atomics.wait(shared, COUNTERS.sent, sent, MAX_WAIT_MS)
        await nextTurn()
      }
      const turn = pace.turn()
      if (turn) await turn
    }
    if (pace.stopped) {
      // What was found so far is still reported.
      receive()
      await deliver()
      events.found(merger.release())
    } else {
      events.found(merger.end())
    }
    return { ...amountOf(merger.progress), bytes }
  } finally {
    // A worker that waits finds that there is nothing left to do.
    Atomics.store(shared, COUNTERS.stop, 1)
    Atomics.store(shared, COUNTERS.next, count)
    Atomics.store(shared, COUNTERS.delivered, count)
    Atomics.notify(shared, COUNTERS.delivered)
  }
}
