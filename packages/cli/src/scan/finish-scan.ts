import { formatTimestamp, type ProblemHit, type ReportedHit, type ReportedProblem } from '@omen/engine'
import type { ScanOptions } from '../command-line/command.js'
import { localOffset } from '../console/clock.js'
import type { Progress } from '../console/progress/progress.js'
import { errorLine } from '../console/standard-error.js'
import { describeNothingFound, describeProblem } from '../console/summary.js'
import { sanitize } from '../console/text/sanitize.js'
import { Failure } from '../failure.js'
import type { ReportTarget } from '../output/output-plan.js'
import { serializeReport, writeReport } from '../output/write-report.js'
import type { Session } from '../session.js'
import type { Interruption } from './interruption.js'
import type { ScanWarnings } from './messages.js'
import { announce, notifiedProblem } from './notifications.js'
import type { ScanRun } from './run-scan.js'
import type { Problem } from './tally.js'

export interface Finish extends ScanRun {
  /** The number of entries that rules were tried on. */
  readonly examined: number
  readonly progress: Progress
  readonly interruption: Interruption
}

/**
 * Prints the summary, writes the report and sends the notification, in this order. A failure is reported, and the rest is still
 * done: what was found must not be lost because the disk is full. Returns whether all of it worked.
 */
export async function finishScan(problems: readonly Problem[], finish: Finish): Promise<boolean> {
  const { session, plan, interruption } = finish
  const { notification } = session.loaded.settings
  const examined = interruption.exitCode === undefined ? finish.examined : 0
  summarize(problems, session, finish.progress, examined)
  let reportName: string | undefined
  const isWritten = await attempt(session, async () => {
    reportName = await writeFindings(plan.report, problems, finish)
  })
  if (problems.length === 0 || notification === undefined) return isWritten
  const notified = problems.map(notifiedProblem)
  const { signal } = interruption
  const isDelivered = await attempt(session, () =>
    announce(notification, { prefix: plan.prefix, problems: notified, reportName, signal }, session),
  )
  if (!isDelivered) await attempt(session, () => writeFindings(plan.rescue, problems, finish))
  return isWritten && isDelivered
}

/** Runs `work`. If it rejects with a `Failure`, that is reported. Returns whether it worked. */
export async function attempt({ err }: Pick<Session, 'err'>, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    err.write(errorLine(error.kind, error.message))
    return false
  }
}

/** Prints the problems; on a terminal, that there are none in the `examined` entries, unless that is 0. */
export function summarize(
  problems: readonly Problem[],
  { out, programName }: Session,
  progress: Progress,
  examined: number,
): void {
  for (const problem of problems) {
    for (const line of describeProblem(problem, out, localOffset, programName)) progress.print(line)
  }
  const isClean = problems.length === 0 && examined > 0
  if (isClean && out.isTerminal) progress.print(describeNothingFound(examined, out))
}

/** Writes the report to its target, and returns the name of the file. */
export async function writeFindings(
  target: ReportTarget,
  problems: readonly Problem[],
  { session, progress, interruption }: Pick<Finish, 'session' | 'progress' | 'interruption'>,
): Promise<string | undefined> {
  if (target.kind === 'none') return undefined
  const report = reportOf(problems, localOffset)
  if (target.kind === 'stdout') {
    for (const piece of serializeReport(report)) session.stdout.write(piece)
    return undefined
  }
  // After an interrupted scan the report is still written. An interruption while it waits for the reader of a named pipe ends it.
  const { exitCode, signal } = interruption
  const name = await writeReport(target, report, exitCode === undefined ? { signal } : {})
  if (name !== undefined) progress.print(`Wrote report to ${sanitize(name)}`)
  return name
}

/** A problem of the report, with hits that are read one after the other: they may not fit in memory. */
export interface StreamedProblem extends Omit<ReportedProblem, 'hits'> {
  readonly hits: Iterable<ReportedHit>
}

/**
 * Converts problems to the detection report, with the offset of the local time zone in every time.
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

/** The result of a run. */
export interface Outcome {
  readonly problems: readonly Pick<Problem, 'cre'>[]
  /** Something could not be done: data could not be read, or a notification could not be delivered. */
  readonly failed: boolean
  readonly warnings: Pick<ScanWarnings, 'count'>
  /** The exit code of the signal that interrupted it. */
  readonly interrupted: number | undefined
  readonly options: Pick<ScanOptions, 'failOn' | 'strict'>
}

/** The exit code: an interruption takes precedence over an error, an error over problems. */
export function exitCodeOf({ problems, failed, warnings, interrupted, options }: Outcome): number {
  const { failOn, strict } = options
  if (interrupted !== undefined) return interrupted
  if (failed || (strict && warnings.count > 0)) return 1
  // A record without severity counts as critical.
  const isSevere = failOn !== undefined && problems.some(({ cre }) => (cre.severity ?? 0) <= failOn)
  return isSevere ? 3 : 0
}
