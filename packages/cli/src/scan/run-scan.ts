import { availableParallelism } from 'node:os'
import type { ScanOptions } from '../command-line/command.js'
import { monotonic, startTicking } from '../console/clock.js'
import { here } from '../console/log.js'
import { createProgress, type Progress } from '../console/progress/progress.js'
import { errorLine } from '../console/standard-error.js'
import type { ScanEvents, ScanSettings } from '../matching/events.js'
import { createPace } from '../matching/pace.js'
import { scanConcurrently } from '../matching/scan-source.js'
import { checkOutput, type OutputPlan, planOutput } from '../output/output-plan.js'
import { prepareRules } from '../rules/loading/prepare-rules.js'
import type { Session } from '../session.js'
import { ensureRuleToken } from '../settings/rule-token.js'
import type { Origin } from '../sources/origin.js'
import type { Source } from '../sources/source.js'
import { beginUpdates, type ScanUpdates } from '../updates/begin-updates.js'
import { findSources, warnOfTypes } from './find-sources.js'
import { exitCodeOf, finishScan } from './finish-scan.js'
import { catchInterruption, type Interruption } from './interruption.js'
import { createScanMessages } from './messages.js'
import { scanAll, startWorkersFor } from './scan-all.js'
import { showScan } from './scan-view.js'
import { createTally } from './tally.js'

/** More threads than this would wait for the disk. */
const MAX_THREADS = 8

/**
 * Scans what the command line names, prints what was found, and returns the exit code; undefined if there is nothing to read,
 * as on a terminal without a path. Sources that are not on this machine have an origin, which the caller closes.
 */
export async function runScan(options: ScanOptions, session: Session, origin?: Origin): Promise<number | undefined> {
  const { settings, folder } = session.loaded
  const plan = planOutput(options.output, settings.notification !== undefined, session.now)
  checkOutput(plan.report)
  ensureRuleToken(folder)
  const updates = beginUpdates(options, session)
  const { sources, problems, warnings, skipped } = await (origin?.find() ?? findSources(options, session))
  for (const warning of warnings) session.warn(warning)
  for (const problem of problems) session.err.write(errorLine('Data', problem))
  for (const { path, reason } of skipped) session.log.debug(here(), 'file skipped', { path, reason })
  if (sources.length === 0 && problems.length === 0) return undefined
  if (sources.length === 0) return 1
  checkOutput(
    plan.report,
    sources.flatMap(({ files }) => files.map(({ path }) => path)),
  )
  const interrupted = updates && (await takeUpdates(updates))
  if (interrupted !== undefined) return interrupted
  const code = await scan({ options, session, plan, sources, origin, failed: problems.length > 0 })
  await updates?.end()
  return code
}

/** Installs the updates that were accepted, so that the scan runs with them. Returns the exit code if it is interrupted. */
async function takeUpdates(updates: ScanUpdates): Promise<number | undefined> {
  // While the user is asked, Ctrl-C is not handled: it ends the process at once.
  await updates.decide()
  const interruption = catchInterruption(process)
  try {
    await updates.install(interruption.signal)
    return interruption.exitCode
  } finally {
    interruption.release()
  }
}

async function scan(run: ScanRun): Promise<number> {
  const { follow, state } = run.options
  if (!follow && state === undefined) return scanOnce(run)
  const { runFollow } = await import('./run-follow.js')
  return runFollow(run)
}

/** What is decided before anything is read. */
export interface ScanRun {
  readonly options: ScanOptions
  readonly session: Session
  readonly plan: OutputPlan
  readonly sources: readonly Source[]
  /** Where the sources come from, if they are not files. */
  readonly origin: Origin | undefined
  /** Some of the data could not be found. */
  readonly failed: boolean
}

async function scanOnce(run: ScanRun): Promise<number> {
  const { options, session, sources } = run
  const threads = options.threads ?? Math.min(availableParallelism(), MAX_THREADS)
  const workerPool = run.origin ? undefined : await startWorkersFor(sources, threads)
  const interruption = catchInterruption(process)
  const progress = createProgress(session.out, {
    quiet: options.quiet,
    clock: monotonic,
    tick: startTicking,
  })
  session.shareScreen(progress)
  session.log.debug(here(), 'scan begins', { sources: sources.length, threads: workerPool ? threads : 1 })
  try {
    return await scanWith(run, progress, interruption, workerPool)
  } finally {
    progress.stop()
    interruption.release()
    await workerPool?.stop()
  }
}

async function scanWith(
  run: ScanRun,
  progress: Progress,
  interruption: Interruption,
  workerPool: Awaited<ReturnType<typeof startWorkersFor>>,
): Promise<number> {
  const { options, session, plan, sources, origin } = run
  const { settings } = session.loaded
  const parsing = progress.stage('Parsing rules', 'rules')
  parsing.start()
  const rules = await prepareRules(options, session)
  parsing.done(rules.rules.length)
  warnOfTypes(sources, rules, session.warn)

  const keepsHits = plan.report.kind !== 'none' || plan.rescue.kind !== 'none'
  const tally = createTally(sources, { keepsHits })
  const view = showScan(progress, sources)
  const messages = createScanMessages(session, sources, { inOrder: workerPool !== undefined || origin !== undefined })
  const limits: ScanSettings = {
    now: session.now,
    timestamps: settings.timestamps,
    skip: settings.skip,
    // An origin applies these limits itself.
    since: origin ? undefined : options.since,
    until: origin ? undefined : options.until,
  }
  const events: ScanEvents = {
    found(source, detections) {
      tally.add(source, detections)
      view.problems(tally.size)
    },
    advanced: (source, taken, lines) => view.advanced(source, taken, lines),
    finished(source, amount) {
      session.log.debug(here(), 'source read', { source: sources[source].name, ...amount })
      if (amount.bytes === 0 && messages.hasFailed(source)) view.failed(source)
      else view.finished(source, amount)
    },
    problem: (source, message) => messages.problem(source, message),
    warn: (source, message) => messages.warn(source, message),
  }
  const pace = createPace(interruption.signal)
  if (origin) await scanConcurrently(sources, rules, limits, events, pace, origin)
  else await scanAll(sources, rules, limits, events, pace, workerPool)
  messages.end()
  view.end()
  progress.stop()
  if (interruption.exitCode !== undefined) session.warn('interrupted: not all of the data was read')
  const found = tally.problems()
  const isReadable = sources.some((_, index) => !messages.hasFailed(index)) || found.length > 0
  const isReported = isReadable && (await finishScan(found, { ...run, progress, interruption }))
  const failed = run.failed || messages.failed || !isReported
  return exitCodeOf({ problems: found, failed, interrupted: interruption.exitCode, failOn: options.failOn })
}
