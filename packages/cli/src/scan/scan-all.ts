import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { type CompiledRules, canBeCut, decideFormat, type ReadingFormat } from '@omen/engine'
import type { ScanEvents, ScanSettings } from '../matching/events.js'
import type { Pace } from '../matching/pace.js'
import { createSourceScanner } from '../matching/scan-source.js'
import { detectCompression } from '../sources/compression.js'
import type { Source } from '../sources/source.js'
import type { Crew } from '../threads/crew.js'

/** Less than this is scanned before a second thread has started. */
const WORTH_THREADS = 32 * 1024 * 1024

/** The first bytes of a file, on which its format is decided before it is cut for several threads. */
const HEAD_BYTES = 1024 * 1024

/** Starts threads for the scan of these sources, where that pays. They start while the rules are loaded. */
export async function startCrewFor(sources: readonly Source[], threads: number): Promise<Crew | undefined> {
  const total = sources.reduce((sum, source) => sum + sizeOf(source), 0)
  if (threads === 1 || total < WORTH_THREADS) return undefined
  const { startCrew } = await import('../threads/crew.js')
  return startCrew(threads - 1)
}

function sizeOf({ files }: Source): number {
  return files.reduce((sum, { size }) => sum + (size ?? 0), 0)
}

/**
 * Scans all sources. With a crew, large files are cut into segments that all threads scan together, one file after the other;
 * then every thread takes one source at a time. What is found is the same as on one thread.
 */
export async function scanAll(
  sources: readonly Source[],
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
  crew: Crew | undefined,
): Promise<void> {
  let rest = sources.map((source, index) => ({ source, index }))
  if (crew) {
    const large = rest.filter(({ source }) => isOneLargeFile(source))
    const cut = new Set<number>()
    for (const { source, index } of large) {
      if (pace.stopped) return
      if (await scanInSegments(index, source, rules, settings, events, pace, crew)) cut.add(index)
    }
    rest = rest.filter(({ index }) => !cut.has(index))
    if (rest.length > 1) {
      const { scanSources } = await import('../threads/scan-sources.js')
      const numbered = renumbered(events, (index) => rest[index].index)
      await scanSources(
        rest.map(({ source }) => source),
        crew,
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
    found: (index, detections) => events.found(number(index), detections),
    advanced: (index, taken, lines) => events.advanced(number(index), taken, lines),
    finished: (index, amount) => events.finished(number(index), amount),
    problem: (index, message) => events.problem(number(index), message),
    warn: (index, message) => events.warn(number(index), message),
  }
}

/** Scans a large file on all threads; false, and nothing has happened, when it cannot be cut. */
async function scanInSegments(
  index: number,
  source: Source,
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
  crew: Crew,
): Promise<boolean> {
  const [{ path, timestamp }] = source.files
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  const file = openSync(path, 'r')
  try {
    const { now, skip, timestamps, since, until } = settings
    const reading = { now, skip, timestamps, ...(timestamp && { timestamp }) }
    const format = await formatForCutting(file, reading)
    if (!format) return false
    const { size } = fstatSync(file)
    const { scanSegments } = await import('../threads/scan-segments.js')
    const options = {
      ...reading,
      source: source.type,
      warn: (message: string) => events.warn(index, message),
      ...(source.window !== undefined && { window: source.window }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    }
    const told = {
      found: (detections: Parameters<ScanEvents['found']>[1]) => {
        if (detections.length > 0) events.found(index, detections)
      },
      advanced: (bytes: number, lines: number) => events.advanced(index, bytes, lines),
    }
    const amount = await scanSegments({ path, file, size, format }, crew, rules, options, told, pace)
    events.finished(index, amount)
    return true
  } finally {
    closeSync(file)
  }
}

async function formatForCutting(
  file: number,
  reading: Parameters<typeof decideFormat>[1],
): Promise<ReadingFormat | undefined> {
  const head = new Uint8Array(HEAD_BYTES)
  const start = head.subarray(0, readSync(file, head, 0, head.length, 0))
  if (detectCompression(start) !== undefined) return undefined
  const format = await decideFormat(start, reading)
  return format && canBeCut(format) ? format : undefined
}
