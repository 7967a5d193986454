import type { CompiledRules, Detection, Detector } from '@omen/engine'
import { type Data, openData } from '../sources/open-data.js'
import { Missing } from '../sources/origin.js'
import type { Source, SourceFile } from '../sources/source.js'
import { createDetectors, type Detectors } from './detectors.js'
import type { ScanEvents, ScanSettings } from './events.js'
import type { Pace } from './pace.js'
import { createPlaces } from './places.js'

const STANDARD_INPUT = 0

/** Scans one source after the other on this thread. */
export interface SourceScanner {
  scan(index: number, source: Source): Promise<void>
}

/** What a scanner is made of where that is not the usual: where its detectors come from, and how a file is opened. */
export interface ScannerParts {
  readonly detectors?: Detectors
  readonly open?: (file: SourceFile) => Promise<Data>
}

/**
 * Makes a scanner for sources. Their files are read in order with one state of the rules; a file that cannot be read is told
 * of, and the others are read all the same.
 */
export function createSourceScanner(
  rules: CompiledRules,
  settings: ScanSettings,
  events: ScanEvents,
  pace: Pace,
  { detectors = createDetectors(rules, settings), open = openFile }: ScannerParts = {},
): SourceScanner {
  return {
    async scan(index, source) {
      const detector = detectors.start(source, (message) => events.warn(index, message))
      const places = createPlaces(source.files.length)
      const found = (detections: readonly Detection[]) => {
        if (detections.length > 0) events.found(index, places.place(detections))
      }
      let takenBefore = 0
      for (const [number, file] of source.files.entries()) {
        if (pace.stopped) break
        if (number > 0) found(detector.nextFile(file.timestamp))
        places.begin(file.path, detector.progress.lines)
        try {
          const advanced = (taken: number) => events.advanced(index, takenBefore + taken, detector.progress.lines)
          await readFile(() => open(file), detector, found, advanced, pace)
        } catch (error) {
          if (error instanceof Missing) events.warn(index, error.message)
          else events.problem(index, `${nameOf(file)}: ${(error as Error).message}`)
        }
        takenBefore += file.size ?? 0
      }
      found(isCutOff(source, pace) ? detector.flush() : detector.end())
      events.finished(index, detector.progress)
      detectors.release?.(detector)
    },
  }
}

/**
 * A file that is left in the middle has not ended: what a rule waits for may stand in the rest, and all that is certain is
 * what was read. A pipe has given everything there is.
 */
function isCutOff({ files }: Source, { stopped }: Pace): boolean {
  return stopped && files.some(({ size }) => size !== undefined)
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
  // Opening waits for the first bytes, and those of a pipe may never come.
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
    // What a plain file gives at once is not waited for: a turn of the event loop for every megabyte is too dear.
    const read = data.read(detector.space())
    const bytes = typeof read === 'number' ? read : await pace.unlessStopped(read)
    if (!bytes) return
    found(detector.commit(bytes))
    advanced(data.taken())
    const turn = pace.turn()
    if (turn) await turn
  }
}
