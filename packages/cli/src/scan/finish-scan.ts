import { localOffset } from '../console/clock.js'
import type { Progress } from '../console/progress/progress.js'
import { errorLine } from '../console/standard-error.js'
import { describeNothing, describeProblem } from '../console/summary.js'
import { sanitize } from '../console/text/sanitize.js'
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
 * Prints the summary, writes the report and sends the notification, in this order. Whatever fails is told, and does not keep
 * the rest from happening: a full disk is no reason to be silent about what was found. Returns whether all of it worked.
 */
export async function finishScan(problems: readonly Problem[], finish: Finish): Promise<boolean> {
  const { session, plan, interruption } = finish
  const { notification } = session.loaded.settings
  summarize(problems, session, finish.progress, interruption.exitCode !== undefined)
  let reportName: string | undefined
  const isWritten = await attempt(session, async () => {
    reportName = await writeFindings(plan.report, problems, finish)
  })
  if (problems.length === 0 || notification === undefined) return isWritten
  const told = problems.map(notifiedProblem)
  const { signal } = interruption
  const isTold = await attempt(session, () =>
    announce(notification, { prefix: plan.prefix, problems: told, reportName, signal }, session),
  )
  if (!isTold) await attempt(session, () => writeFindings(plan.rescue, problems, finish))
  return isWritten && isTold
}

/** Does one thing of several. When it fails for a reason that the user has to know, that is told. Says whether it worked. */
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

export function summarize(
  problems: readonly Problem[],
  { out, programName }: Session,
  progress: Progress,
  interrupted: boolean,
): void {
  for (const problem of problems) {
    for (const line of describeProblem(problem, out, localOffset, programName)) progress.print(line)
  }
  if (problems.length === 0 && out.isTerminal && !interrupted) progress.print(describeNothing(out))
}

/** Writes the report where it belongs, and returns the name of the file. */
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
  // Whoever interrupted the scan wants the report; who interrupts the wait for a reader of a named pipe does not.
  const { exitCode, signal } = interruption
  const name = await writeReport(target, report, exitCode === undefined ? { signal } : {})
  if (name !== undefined) progress.print(`Wrote report to ${sanitize(name)}`)
  return name
}
