import type { CompiledRules, Detection, Detector } from '@omen/engine'
import { type Data, openData } from '../sources/open-data.js'
import type { Source, SourceFile } from '../sources/source.js'
import { createDetectors } from './detectors.js'
import type { ScanEvents, ScanSettings } from './events.js'
import type { Pace } from './pace.js'
import { createPlaces } from './places.js'

const STANDARD_INPUT = 0

/** Scans one source after the other on this thread. */
export interface SourceScanner {
  scan(index: number, source: Source): Promise<void>
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
): SourceScanner {
  const detectors = createDetectors(rules, settings)
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
          await readFile(file, detector, found, advanced, pace)
        } catch (error) {
          events.problem(index, `${nameOf(file)}: ${(error as Error).message}`)
        }
        takenBefore += file.size ?? 0
      }
      found(isCutOff(source, pace) ? detector.flush() : detector.end())
      events.finished(index, detector.progress)
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

async function readFile(
  { path }: SourceFile,
  detector: Detector,
  found: (detections: readonly Detection[]) => void,
  advanced: (taken: number) => void,
  pace: Pace,
): Promise<void> {
  // Opening waits for the first bytes, and those of a pipe may never come.
  const data = await pace.unlessStopped(openData(path === '-' ? STANDARD_INPUT : path))
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
