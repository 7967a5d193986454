import {
  type CompiledRules,
  type CustomTimestamp,
  createDetector,
  type Detector,
  type DetectorOptions,
  SnapshotError,
  type Warn,
} from '@omen/engine'
import { engineZone } from '../sources/zone.js'
import type { Clock } from './follow-options.js'

/** What all detectors of a run have in common. */
export interface DetectorsOptions {
  readonly rules: CompiledRules
  readonly detector: Pick<DetectorOptions, 'timestamps' | 'skip' | 'since' | 'until'>
  readonly clock: Clock
}

/** What a detector is needed for. */
export interface DetectorRequest {
  readonly type: string
  readonly window: bigint | undefined
  readonly timestamp: CustomTimestamp | undefined
  /** The zone of times without one: see SourceFile. */
  readonly zone: string | undefined
  readonly warn: Warn
  /** The state to continue from. */
  readonly snapshot: Uint8Array | undefined
}

/** A detector that is in use for a while. */
export interface Lease {
  readonly detector: Detector
  /** Whether its current time is too old to continue with. */
  readonly isOutdated: boolean
  /** Returns the detector. Its state is lost. */
  release(): void
}

/** Detectors are slow to create: released ones are used again. */
export interface Detectors {
  take(request: DetectorRequest): Lease
}

/** The current time of a detector decides the year of times that have none: it must not be days old. */
const OUTDATED_AFTER = 6 * 60 * 60 * 1000

/** Each takes about a megabyte. More are not worthwhile when many files are read for the first time, one after the other. */
const MAX_SPARE = 2

interface PooledDetector {
  readonly detector: Detector
  readonly kind: string
  readonly createdAt: number
  /** Where its warnings go, which changes with its use. */
  readonly warning: { to: Warn }
}

/**
 * Creates detectors, one for each log that is being read.
 *
 * @example
 * const { detector, release } = createDetectors({ rules, detector: {}, clock }).take({ type: '*', … })
 */
export function createDetectors({ rules, detector: common, clock }: DetectorsOptions): Detectors {
  const spare: PooledDetector[] = []
  const isOld = ({ createdAt }: PooledDetector) => clock.now() - createdAt >= OUTDATED_AFTER

  function create({ type, window, timestamp, zone, warn, snapshot }: DetectorRequest): PooledDetector {
    const createdAt = clock.now()
    const warning = { to: warn }
    const options: DetectorOptions = {
      ...common,
      source: type,
      now: new Date(createdAt),
      readTime: () => BigInt(Math.trunc(clock.now())) * 1_000_000n,
      zone: engineZone(zone),
      warn: (message, subject) => warning.to(message, subject),
      ...(window !== undefined && { window }),
      ...(timestamp && { timestamp }),
    }
    return { detector: startFrom(snapshot, options), kind: kindOf(type, window), createdAt, warning }
  }

  function startFrom(snapshot: Uint8Array | undefined, options: DetectorOptions): Detector {
    if (!snapshot) return createDetector(rules, options)
    try {
      return createDetector(rules, { ...options, snapshot })
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      options.warn?.(`the saved state cannot be used (${error.message}): rules start again`)
      return createDetector(rules, options)
    }
  }

  function reuse({ type, window, timestamp, zone, warn, snapshot }: DetectorRequest): PooledDetector | undefined {
    const index = spare.findIndex((pooled) => pooled.kind === kindOf(type, window) && !isOld(pooled))
    if (index === -1) return undefined
    const [pooled] = spare.splice(index, 1)
    pooled!.warning.to = warn
    try {
      pooled!.detector.restart(timestamp, snapshot, engineZone(zone))
      return pooled
    } catch (error) {
      // The snapshot does not fit these rules: a new detector is created, which reports it.
      if (error instanceof SnapshotError) return undefined
      throw error
    }
  }

  return {
    take(request) {
      const pooled = reuse(request) ?? create(request)
      return {
        detector: pooled.detector,
        get isOutdated() {
          return isOld(pooled)
        },
        release() {
          spare.unshift(pooled)
          spare.length = Math.min(spare.length, MAX_SPARE)
        },
      }
    },
  }
}

function kindOf(type: string, window: bigint | undefined): string {
  return `${type} ${window}`
}
