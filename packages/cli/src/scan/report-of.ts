import { formatTimestamp, type ProblemHit, type ReportedHit, type ReportedProblem } from '@omen/engine'
import type { Problem } from './tally.js'

/** A problem as the report has it, with hits that are read one after the other: they may be too many for memory. */
export interface StreamedProblem extends Omit<ReportedProblem, 'hits'> {
  readonly hits: Iterable<ReportedHit>
}

/**
 * Writes problems as the detection report, with the offset of the local zone in every time.
 *
 * @example
 * for (const piece of serializeReport(reportOf(tally.problems(), localOffset))) stdout.write(piece)
 */
export function* reportOf(
  problems: readonly Problem[],
  offset: (timestamp: bigint) => number,
): Generator<StreamedProblem, void, undefined> {
  for (const { cre, ruleId, ruleHash, first, hits } of problems) {
    const reported = { [Symbol.iterator]: () => reportHits(hits, offset) }
    const timestamp = formatTimestamp(first, offset)
    yield { cre, hits: reported, id: cre.id, rule_hash: ruleHash, rule_id: ruleId, timestamp }
  }
}

function* reportHits(
  hits: Iterable<ProblemHit>,
  offset: (timestamp: bigint) => number,
): Generator<ReportedHit, void, undefined> {
  for (const { timestamp, ...rest } of hits) yield { timestamp: formatTimestamp(timestamp, offset), ...rest }
}
