import type { PublicDetection } from '../match/detection.js'
import type { CompiledRules } from '../rules/compiled.js'
import { type Chunks, piecesOf } from './chunks.js'
import { createDetector, type DetectorOptions } from './detector.js'

/**
 * Scans data with rules and gives the detections in the order in which they fire.
 *
 * @example
 * const rules = await compileRules([{ name: 'kafka.yaml', text }])
 * for await (const detection of detect(rules, chunks, { source: 'cre.log.kafka' })) {
 *   console.log(detection.cre.id, detection.hits[0].entry)
 * }
 */
export async function* detect(
  rules: CompiledRules,
  chunks: Chunks,
  options: DetectorOptions = {},
): AsyncGenerator<PublicDetection> {
  const detector = createDetector(rules, options)
  for await (const piece of piecesOf(chunks)) yield* detector.push(piece)
  yield* detector.end()
}
