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

/** What a log showed. */
export interface ScannedLog {
  /** How many times rules fired. */
  readonly count: number
  /** The first detections. */
  readonly detections: readonly Detection[]
  readonly lines: number
  readonly warnings: readonly string[]
}

/** So many detections of a log are kept: an author looks at a few, and a wrong rule may fire on every line. */
export const MOST_DETECTIONS = 100

/**
 * The year of times that have none must not depend on the day on which a test is run. At the end of a year every date lies
 * in it, and one in the first days of January after one in December.
 */
const TEST_DAY = new Date('2026-12-31T12:00:00Z')

/**
 * Runs rules over a log file, gzip-compressed or not. `keep` is told of every detection, also of those that are only counted.
 *
 * @example
 * const { count, detections } = await scanLog(rules, 'hit.log')
 */
export async function scanLog(
  rules: CompiledRules,
  path: string,
  options: DetectorOptions = {},
  keep: (detection: Detection) => void = () => {},
): Promise<ScannedLog> {
  const warnings: string[] = []
  const detections: Detection[] = []
  let count = 0
  const detector = createDetector(rules, { ...options, now: TEST_DAY, warn: (message) => warnings.push(message) })
  const take = (found: readonly Detection[]) => {
    count += found.length
    for (const detection of found) {
      keep(detection)
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
 * Rules that fire once for every entry that meets a condition: one for each condition, with its index as the end of the id.
 * So it can be seen which conditions were met where, though the rule itself did not fire.
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
  // Only rules that were made by the engine can run: through its cache form they are.
  return importRules(exportRules({ rules, conditions, warnings: [], fingerprint }))
}

/** The condition that a detection of the probe is about. */
export function probedCondition(creId: string): number {
  return Number(creId.slice('PROBE-'.length))
}
