import { type CompiledRules, createDetector, type Detection, type Detector, type Warn } from '@omen/engine'
import type { Source } from '../sources/source.js'
import { engineZone } from '../sources/zone.js'
import type { ScanSettings } from './events.js'

/** Detectors for one source after the other: one is created for each kind of source, and used again. */
export interface Detectors {
  /** A detector without state, for the first file of a source. */
  start(source: Source, warn: Warn): Detector
  /** The source has been read: its detector may be used for another. */
  release?(detector: Detector): void
}

/** Creating a detector takes some milliseconds, using one again a fraction of one: a folder may hold thousands of files. */
export function createDetectors(rules: CompiledRules, settings: ScanSettings): Detectors {
  const known = new Map<string, Detector>()
  let report: Warn = () => {}
  return {
    start(source, warn) {
      report = warn
      const detector = known.get(kindOf(source))
      if (detector) {
        restart(detector, source)
        return detector
      }
      const created = newDetector(rules, settings, source, (message, subject) => report(message, subject))
      known.set(kindOf(source), created)
      return created
    },
  }
}

interface PooledDetector {
  readonly kind: string
  readonly detector: Detector
  readonly warning: { to: Warn }
}

/**
 * Detectors for sources that are read concurrently: each has its own while it is read. At most `maxSpare` unused ones are kept,
 * those that were used last: each takes some megabytes.
 */
export function createDetectorPool(rules: CompiledRules, settings: ScanSettings, maxSpare: number): Detectors {
  const inUse = new Map<Detector, PooledDetector>()
  const spare: PooledDetector[] = []

  function create(source: Source, warn: Warn): PooledDetector {
    const warning = { to: warn }
    const detector = newDetector(rules, settings, source, (message, subject) => warning.to(message, subject))
    return { kind: kindOf(source), detector, warning }
  }

  function reuse(source: Source, warn: Warn): PooledDetector | undefined {
    const index = spare.findIndex(({ kind }) => kind === kindOf(source))
    const [pooled] = index < 0 ? [] : spare.splice(index, 1)
    if (!pooled) return undefined
    pooled.warning.to = warn
    restart(pooled.detector, source)
    return pooled
  }

  return {
    start(source, warn) {
      const pooled = reuse(source, warn) ?? create(source, warn)
      inUse.set(pooled.detector, pooled)
      return pooled.detector
    },
    release(detector) {
      spare.unshift(inUse.get(detector)!)
      inUse.delete(detector)
      spare.length = Math.min(spare.length, maxSpare)
    },
  }
}

/** Sources of the same kind can have the same detector one after the other. */
function kindOf({ type, window }: Source): string {
  return `${type} ${window}`
}

function restart(detector: Detector, { files }: Source): void {
  detector.restart(files[0]?.timestamp, undefined, engineZone(files[0]?.zone))
}

function newDetector(
  rules: CompiledRules,
  { now, timestamps, skip, since, until }: ScanSettings,
  { type, window, files }: Source,
  warn: Warn,
  snapshot?: Uint8Array,
): Detector {
  const timestamp = files[0]?.timestamp
  return createDetector(rules, {
    source: type,
    now,
    skip,
    timestamps,
    zone: engineZone(files[0]?.zone),
    warn,
    ...(window !== undefined && { window }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(timestamp && { timestamp }),
    ...(snapshot && { snapshot }),
  })
}

/**
 * What would be found if the data ended now, although too few lines were read to decide on their format. A copy of the detector
 * finds it: the detector itself continues.
 */
export function previewEnd(
  rules: CompiledRules,
  settings: ScanSettings,
  source: Source,
  detector: Detector,
): readonly Detection[] {
  const { bytes, entries } = detector.progress
  if (bytes === 0 || entries > 0) return []
  return newDetector(rules, settings, source, () => {}, detector.snapshot()).end()
}
