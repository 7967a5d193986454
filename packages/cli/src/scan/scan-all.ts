import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { type CompiledRules, canBeCut, findFormats, type ReadingFormat, type WarningSubject } from '@omen/engine'
import type { ScanEvents, ScanSettings } from '../matching/events.js'
import type { Pace } from '../matching/pace.js'
import { createSourceScanner } from '../matching/scan-source.js'
import { detectCompression } from '../sources/compression.js'
import type { Source } from '../sources/source.js'
import type { WorkerPool } from '../threads/worker-pool.js'

/** Smaller data is scanned before a second thread has started. */
const WORTH_THREADS = 32 * 1024 * 1024

/** The first bytes of a file, from which its formats are detected before it is divided for several threads. */
const HEAD_BYTES = 1024 * 1024

/** Starts threads for the scan of these sources, if that is worthwhile. They start while the rules are loaded. */
export async function startWorkersFor(sources: readonly Source[], threads: number): Promise<WorkerPool | undefined> {
  const total = sources.reduce((sum, source) => sum + sizeOf(source), 0)
  if (threads === 1 || total < WORTH_THREADS) return undefined
  const { startWorkerPool } = await import('../threads/worker-pool.js')
  return startWorkerPool(threads - 1)
}

function sizeOf({ files }: Source): number {
  return files.reduce((sum, { size }) => sum + (size ?? 0), 0)
}

/**
 * Scans all sources. With a worker pool, large files are divided into segments that all threads scan together, one file after
 * the other; then every thread takes one source at a time. What is found is the same as on one thread.
 */
export async function scanAll(
  sources: readonly Source[],
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
  workerPool: WorkerPool | undefined,
): Promise<void> {
  let rest = sources.map((source, index) => ({ source, index }))
  if (workerPool) {
    const large = rest.filter(({ source }) => isOneLargeFile(source))
    const scanned = new Set<number>()
    for (const { source, index } of large) {
      if (pace.stopped) return
      if (await scanInSegments(index, source, rules, settings, events, pace, workerPool)) scanned.add(index)
    }
    rest = rest.filter(({ index }) => !scanned.has(index))
    if (rest.length > 1) {
      const { scanSources } = await import('../threads/scan-sources.js')
      const numbered = renumbered(events, (index) => rest[index].index)
      await scanSources(
        rest.map(({ source }) => source),
        workerPool,
        rules,
        settings,
        numbered,
        pace,
      )
      return
    }
  }
  const scanner = createSourceScanner(rules, settings, events, pace)
  for (const { source, index } of rest) {
    if (pace.stopped) return
    await scanner.scan(index, source)
  }
}

function isOneLargeFile({ files }: Source): boolean {
  return files.length === 1 && files[0].path !== '-' && (files[0].size ?? 0) >= WORTH_THREADS
}

function renumbered(events: ScanEvents, number: (index: number) => number): ScanEvents {
  return {
    started: (index, preview) => events.started?.(number(index), preview),
    found: (index, detections) => events.found(number(index), detections),
    advanced: (index, taken, lines) => events.advanced(number(index), taken, lines),
    finished: (index, amount) => events.finished(number(index), amount),
    problem: (index, message) => events.problem(number(index), message),
    warn: (index, message, subject) => events.warn(number(index), message, subject),
  }
}

/** Scans a large file on all threads. Returns false, and has done nothing, if it cannot be divided. */
async function scanInSegments(
  index: number,
  source: Source,
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
  workerPool: WorkerPool,
): Promise<boolean> {
  const [{ path, timestamp, zone }] = source.files
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  const file = openSync(path, 'r')
  try {
    const { now, skip, timestamps, since, until } = settings
    const reading = { now, skip, timestamps, ...(timestamp && { timestamp }) }
    const formats = await formatsForSegments(file, reading)
    if (!canBeCut(formats)) return false
    const { size } = fstatSync(file)
    const { scanSegments } = await import('../threads/scan-segments.js')
    const options = {
      ...reading,
      source: source.type,
      warn: (message: string, subject?: WarningSubject) => events.warn(index, message, subject),
      ...(source.window !== undefined && { window: source.window }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    }
    const segmentEvents = {
      found: (detections: Parameters<ScanEvents['found']>[1]) => {
        if (detections.length > 0) events.found(index, detections)
      },
      advanced: (bytes: number, lines: number) => events.advanced(index, bytes, lines),
    }
    const amount = await scanSegments(
      { path, file, size, formats, zone },
      workerPool,
      rules,
      options,
      segmentEvents,
      pace,
    )
    events.finished(index, amount)
    return true
  } finally {
    closeSync(file)
  }
}

async function formatsForSegments(
  file: number,
  reading: Parameters<typeof findFormats>[1],
): Promise<readonly ReadingFormat[]> {
  const head = new Uint8Array(HEAD_BYTES)
  const start = head.subarray(0, readSync(file, head, 0, head.length, 0))
  if (detectCompression(start) !== undefined) return []
  return findFormats(start, reading)
}
