import { type CompiledRules, createDetector, type Detector } from '@omen/engine'
import type { Source } from '../sources/source.js'
import type { ScanSettings } from './events.js'

/** Detectors for one source after the other: one is made for each kind of source, and used again. */
export interface Detectors {
  /** A detector that knows nothing yet, for the first file of a source. */
  start(source: Source, warn: (message: string) => void): Detector
}

/** Making a detector takes some milliseconds, using one again a fraction of one: a folder may hold thousands of files. */
export function createDetectors(rules: CompiledRules, settings: ScanSettings): Detectors {
  const { now, timestamps, skip, since, until } = settings
  const known = new Map<string, Detector>()
  let tell: (message: string) => void = () => {}
  return {
    start({ type, window, files }, warn) {
      tell = warn
      const timestamp = files[0]?.timestamp
      const kind = `${type} ${window}`
      const detector = known.get(kind)
      if (detector) {
        detector.restart(timestamp)
        return detector
      }
      const made = createDetector(rules, {
        source: type,
        now,
        skip,
        timestamps,
        warn: (message) => tell(message),
        ...(window !== undefined && { window }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
        ...(timestamp && { timestamp }),
      })
      known.set(kind, made)
      return made
    },
  }
}
