import {
  type CompiledRules,
  type CustomTimestamp,
  createDetector,
  type Detector,
  type DetectorOptions,
  SnapshotError,
} from '@omen/engine'
import type { Clock } from './clock.js'

/** What all detectors of a run have in common. */
export interface DetectorsOptions {
  readonly rules: CompiledRules
  readonly detector: Pick<DetectorOptions, 'timestamps' | 'skip' | 'since' | 'until'>
  readonly clock: Clock
}

/** What a detector is wanted for. */
export interface Wish {
  readonly type: string
  readonly window: bigint | undefined
  readonly timestamp: CustomTimestamp | undefined
  readonly warn: (message: string) => void
  /** What it goes on from. */
  readonly snapshot: Uint8Array | undefined
}

/** A detector that somebody has for a while. */
export interface Lease {
  readonly detector: Detector
  /** Whether its idea of the present is too old to go on with. */
  readonly isOutdated: boolean
  /** Gives it back. What it knows is lost. */
  giveBack(): void
}

/** Detectors are slow to make: those that are given back are used again. */
export interface Detectors {
  take(wish: Wish): Lease
}

/** A detector's idea of the present decides the year of times that have none: it must not fall behind by days. */
const OUTDATED_AFTER = 6 * 60 * 60 * 1000

/** Each takes about a megabyte: as many as pay when many files are read for the first time, one after the other. */
const MOST_SPARE = 2

/** A detector, and what can be changed about it. */
interface Made {
  readonly detector: Detector
  readonly kind: string
  readonly at: number
  readonly warning: { to: (message: string) => void }
}

/**
 * Makes detectors, one for each log that is being read.
 *
 * @example
 * const { detector, giveBack } = createDetectors({ rules, detector: {}, clock }).take({ type: '*', … })
 */
export function createDetectors({ rules, detector: common, clock }: DetectorsOptions): Detectors {
  const spare: Made[] = []
  const isOld = ({ at }: Made) => clock.now() - at >= OUTDATED_AFTER

  function make({ type, window, timestamp, warn, snapshot }: Wish): Made {
    const at = clock.now()
    const warning = { to: warn }
    const options: DetectorOptions = {
      ...common,
      source: type,
      now: new Date(at),
      readTime: () => BigInt(Math.trunc(clock.now())) * 1_000_000n,
      warn: (message) => warning.to(message),
      ...(window !== undefined && { window }),
      ...(timestamp && { timestamp }),
    }
    return { detector: startFrom(snapshot, options), kind: kindOf(type, window), at, warning }
  }

  function startFrom(snapshot: Uint8Array | undefined, options: DetectorOptions): Detector {
    if (!snapshot) return createDetector(rules, options)
    try {
      return createDetector(rules, { ...options, snapshot })
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      options.warn?.(`the saved state cannot be used (${error.message}): rules start anew`)
      return createDetector(rules, options)
    }
  }

  function reuse({ type, window, timestamp, warn, snapshot }: Wish): Made | undefined {
    const index = spare.findIndex((made) => made.kind === kindOf(type, window) && !isOld(made))
    if (index === -1) return undefined
    const [made] = spare.splice(index, 1)
    made!.warning.to = warn
    try {
      made!.detector.restart(timestamp, snapshot)
      return made
    } catch (error) {
      // It does not fit these rules: a new one is made, which says so.
      if (error instanceof SnapshotError) return undefined
      throw error
    }
  }

  return {
    take(wish) {
      const made = reuse(wish) ?? make(wish)
      return {
        detector: made.detector,
        get isOutdated() {
          return isOld(made)
        },
        giveBack() {
          spare.unshift(made)
          spare.length = Math.min(spare.length, MOST_SPARE)
        },
      }
    },
  }
}

function kindOf(type: string, window: bigint | undefined): string {
  return `${type} ${window}`
}
