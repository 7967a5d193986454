import { createReadStream } from 'node:fs'
import {
  type CompiledRules,
  createDetector,
  type Detection,
  type DetectorOptions,
  exportRules,
  importRules,
} from '@omen/engine'
import type { CompiledRule } from '../describe-detection.js'

/** The result of scanning a log. */
export interface ScannedLog {
  /** The number of detections. */
  readonly count: number
  /** The first detections. */
  readonly detections: readonly Detection[]
  readonly lines: number
  readonly warnings: readonly string[]
}

/** The number of detections that are kept: a wrong rule may fire on every line. */
export const MOST_DETECTIONS = 100

/**
 * Timestamps without a year must not depend on the date of the test run. At the end of a year, every date is in that year, and a
 * date in early January after one in December is in the next.
 */
const TEST_DAY = new Date('2026-12-31T12:00:00Z')

/** Entries are matched in the order of their times within one second, as a scan does without settings. */
const WINDOW = 1_000_000_000n

/**
 * Runs rules on a log file, which may be gzip-compressed. `onDetection` is called for every detection, including those not kept.
 *
 * @example
 * const { count, detections } = await scanLog(rules, 'hit.log')
 */
export async function scanLog(
  rules: CompiledRules,
  path: string,
  options: DetectorOptions = {},
  onDetection: (detection: Detection) => void = () => {},
): Promise<ScannedLog> {
  const warnings: string[] = []
  const detections: Detection[] = []
  let count = 0
  const detector = createDetector(rules, {
    window: WINDOW,
    ...options,
    now: TEST_DAY,
    warn: (message) => warnings.push(message),
  })
  const take = (found: readonly Detection[]) => {
    count += found.length
    for (const detection of found) {
      onDetection(detection)
      if (detections.length < MOST_DETECTIONS) detections.push(detection)
    }
  }
  for await (const piece of piecesOf(path)) take(detector.push(piece))
  take(detector.end())
  return { count, detections, lines: detector.progress.lines, warnings }
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  if (!/\.gz$/i.test(path)) {
    yield* file
    return
  }
  const { createGunzip } = await import('node:zlib')
  const unpacked = createGunzip()
  file.on('error', (error) => unpacked.destroy(error))
  yield* file.pipe(unpacked)
}

/**
 * Creates a rule for each condition that fires for every matching entry; its id ends with the index of the condition. Shows which
 * conditions matched where, even if the original rule did not fire.
 *
 * @example
 * for (const { cre, hits } of createDetector(await conditionProbe(rules)).push(bytes)) count(probedCondition(cre.id), hits[0])
 */
export async function conditionProbe({ conditions, fingerprint }: CompiledRules): Promise<CompiledRules> {
  const rules = conditions.map((_, condition): CompiledRule => {
    const id = `PROBE-${condition}`
    const terms = [{ condition, count: 1, extract: [] }]
    return { cre: { id }, ruleId: id, ruleHash: id, source: '*', kind: 'set', window: 0n, terms, negate: [] }
  })
  // The detector accepts only rules that the engine created, such as those that it imports.
  return importRules(exportRules({ rules, conditions, warnings: [], fingerprint }))
}

/** The index of the condition that a detection of the probe belongs to. */
export function probedCondition(creId: string): number {
  return Number(creId.slice('PROBE-'.length))
}
