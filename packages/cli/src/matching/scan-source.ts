import type { CompiledRules, Detection, Detector, Hit } from '@omen/engine'
import { isNotText } from '../sources/contents.js'
import { type Data, openData } from '../sources/open-data.js'
import { Missing, type Origin } from '../sources/origin.js'
import type { Source, SourceFile } from '../sources/source.js'
import { engineZone } from '../sources/zone.js'
import { createDetectorPool, createDetectors, type Detectors, previewEnd } from './detectors.js'
import { amountOf, type ScanEvents, type ScanSettings } from './events.js'
import type { Pace } from './pace.js'

const STANDARD_INPUT = 0

/** Scans one source after the other on this thread. */
export interface SourceScanner {
  scan(index: number, source: Source): Promise<void>
}

/** Where the detectors of a scanner come from, and how it opens a file, if not as usual. */
export interface ScannerDeps {
  readonly detectors?: Detectors
  readonly open?: (file: SourceFile) => Promise<Data>
}

/**
 * Creates a scanner for sources. The files of a source are read in order with one state of the rules; a file that cannot be
 * read is reported, and the others are still read.
 */
export function createSourceScanner(
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
  { detectors = createDetectors(rules, settings), open = openFile }: ScannerDeps = {},
): SourceScanner {
  return {
    async scan(index, source) {
      const detector = detectors.start(source, (message, subject) => events.warn(index, message, subject))
      events.started?.(index, () => previewEnd(rules, settings, source, detector))
      const locator = createHitLocator(source.files.length)
      const found = (detections: readonly Detection[]) => {
        if (detections.length > 0) events.found(index, locator.locate(detections))
      }
      let takenBefore = 0
      let binaries = 0
      for (const [number, file] of source.files.entries()) {
        if (pace.stopped) break
        if (number > 0) found(detector.nextFile(file.timestamp, engineZone(file.zone)))
        const { lines, bytes } = detector.progress
        locator.startFile(file.path, lines)
        try {
          const advanced = (taken: number) => events.advanced(index, takenBefore + taken, detector.progress.lines)
          await readFile(() => open(file), detector, found, advanced, pace)
        } catch (error) {
          if (error instanceof Missing) events.warn(index, error.message)
          else if (isNotText(error)) {
            binaries++
            events.warn(index, inFile(source, file, error.message))
          } else {
            const isPartlyRead = detector.progress.bytes > bytes
            const rest = isPartlyRead ? '; only what comes before that was examined' : ''
            events.problem(index, `${nameOf(file)}: ${(error as Error).message}${rest}`)
          }
        }
        takenBefore += file.size ?? 0
      }
      found(isCutOff(source, pace) ? [...detector.flush(), ...detector.release()] : detector.end())
      events.finished(index, { ...amountOf(detector.progress), binaries })
      detectors.release?.(detector)
    },
  }
}

/**
 * A file that was not read to its end: what a rule waits for may be in the rest, so only what was read is certain. A pipe has
 * given everything there is.
 */
function isCutOff({ files }: Source, { stopped }: Pace): boolean {
  return stopped && files.some(({ size }) => size !== undefined)
}

/** A warning names its source, and the file if there are several. */
function inFile({ files }: Source, { path }: SourceFile, message: string): string {
  return files.length === 1 ? message : `${path}: ${message}`
}

function nameOf({ path }: SourceFile): string {
  return path === '-' ? 'stdin' : path
}

function openFile({ path }: SourceFile): Promise<Data> {
  return openData(path === '-' ? STANDARD_INPUT : path)
}

async function readFile(
  open: () => Promise<Data>,
  detector: Detector,
  found: (detections: readonly Detection[]) => void,
  advanced: (taken: number) => void,
  pace: Pace,
): Promise<void> {
  // Opening waits for the first bytes, which may never come from a pipe.
  const data = await pace.unlessStopped(open())
  if (data === undefined) return
  try {
    await readData(data, detector, found, advanced, pace)
  } finally {
    await data.close()
  }
}

async function readData(
  data: Data,
  detector: Detector,
  found: (detections: readonly Detection[]) => void,
  advanced: (taken: number) => void,
  pace: Pace,
): Promise<void> {
  while (!pace.stopped) {
    // A plain file returns a number, which is not awaited: a turn of the event loop for every megabyte costs too much.
    const read = data.read(detector.space())
    const bytes = typeof read === 'number' ? read : await pace.unlessStopped(read)
    if (!bytes) return
    found(detector.commit(bytes))
    advanced(data.taken())
    const turn = pace.turn()
    if (turn) await turn
  }
}

/**
 * Scans sources of an origin, several at a time: a slow one delays no other. Each is read no faster than it is matched, so that
 * none is kept in memory.
 */
export async function scanConcurrently(
  sources: readonly Source[],
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
  { open, parallel }: Pick<Origin, 'open' | 'parallel'>,
): Promise<void> {
  const detectors = createDetectorPool(rules, settings, parallel)
  const scanner = createSourceScanner(rules, settings, events, pace, { detectors, open })
  let next = 0
  async function scanRemaining(): Promise<void> {
    for (let index = next++; index < sources.length && !pace.stopped; index = next++) {
      await scanner.scan(index, sources[index]!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, sources.length) }, scanRemaining))
}

/** Finds the file of each hit. */
interface HitLocator {
  startFile(path: string, linesBefore: number): void
  /** Adds the file to each hit, and counts its line from the start of that file. */
  locate(detections: readonly Detection[]): readonly Detection[]
}

/** If a source has one file, its lines are those of the file. Otherwise the detector counts on from file to file. */
function createHitLocator(files: number): HitLocator {
  const starts: { readonly path: string; readonly linesBefore: number }[] = []

  function inFile({ timestamp, entry, line, extracted }: Hit): Hit {
    const { path, linesBefore } = starts.findLast((start) => start.linesBefore < line) ?? { path: '', linesBefore: 0 }
    return { timestamp, entry, line: line - linesBefore, file: path, ...(extracted && { extracted }) }
  }

  return {
    startFile(path, linesBefore) {
      starts.push({ path, linesBefore })
    },
    locate(detections) {
      if (files === 1) return detections
      return detections.map((detection) => ({ ...detection, hits: detection.hits.map(inFile) }))
    },
  }
}
