import { errorLine } from '../console/error-line.js'
import { localOffset } from '../console/local-offset.js'
import type { Progress } from '../console/progress.js'
import { sanitize } from '../console/sanitize.js'
import { describeNothing, describeProblem } from '../console/summary.js'
import { Failure } from '../failure.js'
import type { ReportTarget } from '../output/output-plan.js'
import { serializeReport, writeReport } from '../output/write-report.js'
import type { Session } from '../session.js'
import { announce, notifiedProblem } from './announce.js'
import type { Interruption } from './interruption.js'
import { reportOf } from './report-of.js'
import type { ScanRun } from './run-scan.js'
import type { Problem } from './tally.js'

export interface Finish extends ScanRun {
  readonly progress: Progress
  readonly interruption: Interruption
}

/**
 * Prints the summary, writes the report and sends the notification, in this order: whatever fails, what comes before it has
 * happened. Returns whether all of it worked.
 */
export async function finishScan(problems: readonly Problem[], finish: Finish): Promise<boolean> {
  const { session, plan, progress, interruption } = finish
  const { notification } = session.loaded.settings
  summarize(problems, session, progress, interruption.exitCode !== undefined)
  const reportName = await writeFindings(plan.report, problems, session, progress)
  if (problems.length === 0 || notification === undefined) return true
  try {
    const told = problems.map(notifiedProblem)
    const { signal } = interruption
    await announce(notification, { prefix: plan.prefix, problems: told, reportName, signal }, session)
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    session.err.write(errorLine(error.kind, error.message))
    await writeFindings(plan.rescue, problems, session, progress)
    return false
  }
}

export function summarize(
  problems: readonly Problem[],
  { out }: Session,
  progress: Progress,
  interrupted: boolean,
): void {
  for (const problem of problems) {
    for (const line of describeProblem(problem, out, localOffset)) progress.print(line)
  }
  if (problems.length === 0 && out.isTerminal && !interrupted) progress.print(describeNothing(out))
}

export async function writeFindings(
  target: ReportTarget,
  problems: readonly Problem[],
  { stdout }: Session,
  progress: Progress,
): Promise<string | undefined> {
  if (target.kind === 'none') return undefined
  const report = reportOf(problems, localOffset)
  if (target.kind === 'stdout') {
    for (const piece of serializeReport(report)) stdout.write(piece)
    return undefined
  }
  const name = await writeReport(target, report)
  if (name !== undefined) progress.print(`Wrote report to ${sanitize(name)}`)
  return name
}
