import { availableParallelism } from 'node:os'
import type { ScanOptions } from '../command-line/command.js'
import { monotonic, startRepeating, startTicking } from '../console/clock.js'
import { type Fields, here } from '../console/log.js'
import { createProgress, type Progress } from '../console/progress/progress.js'
import { errorLine } from '../console/standard-error.js'
import type { Amount, ScanEvents, ScanSettings } from '../matching/events.js'
import { createPace } from '../matching/pace.js'
import { scanConcurrently } from '../matching/scan-source.js'
import { checkOutput, type OutputPlan, planOutput } from '../output/output-plan.js'
import { prepareRules } from '../rules/loading/prepare-rules.js'
import type { Session } from '../session.js'
import { ensureRuleToken } from '../settings/rule-token.js'
import type { Origin } from '../sources/origin.js'
import type { Skipped } from '../sources/skipped.js'
import type { Source } from '../sources/source.js'
import { inspectStandardInput } from '../sources/standard-input.js'
import { beginUpdates, type ScanUpdates } from '../updates/begin-updates.js'
import { concludeReading, isStandardInput } from './conclude-reading.js'
import { findSources, warnOfTypes } from './find-sources.js'
import { exitCodeOf, finishScan } from './finish-scan.js'
import { catchInterruption, type Interruption } from './interruption.js'
import { createScanMessages, createScanWarnings, type ScanWarnings } from './messages.js'
import { describeOpenInput, type OpenInput, watchOpenInput } from './open-input.js'
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
  const scanWarnings = createScanWarnings(session.warn, options)
  for (const warning of warnings) scanWarnings.warn(warning)
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
  const failed = problems.length > 0
  const code = await scan({ options, session, plan, sources, skipped, origin, warnings: scanWarnings, failed })
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
  /** Files in folders that are not read. */
  readonly skipped: readonly Skipped[]
  /** Where the sources come from, if they are not files. */
  readonly origin: Origin | undefined
  /** The warnings about the data and the rules. */
  readonly warnings: ScanWarnings
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
  const { options, session, plan, sources, origin, warnings } = run
  const { settings } = session.loaded
  const parsing = progress.stage('Parsing rules', 'rules')
  parsing.start()
  const rules = await prepareRules(options, session)
  parsing.done(rules.rules.length)
  warnOfTypes(sources, rules, warnings.warn)

  const keepsHits = plan.report.kind !== 'none' || plan.rescue.kind !== 'none'
  const tally = createTally(sources, { keepsHits })
  const view = showScan(progress, sources)
  const inOrder = workerPool !== undefined || origin !== undefined
  const messages = createScanMessages({ err: session.err, warn: warnings.warn }, sources, { inOrder })
  const amounts = new Map<number, Amount>()
  const limits: ScanSettings = {
    now: session.now,
    timestamps: settings.timestamps,
    skip: settings.skip,
    // An origin applies these limits itself.
    since: origin ? undefined : options.since,
    until: origin ? undefined : options.until,
  }
  const input = watchInput(run)
  const events: ScanEvents = {
    started(source, preview) {
      if (isStandardInput(sources[source])) input?.started(preview)
    },
    found(source, detections) {
      tally.add(source, detections)
      view.problems(tally.size)
      input?.found(tally.size)
    },
    advanced(source, taken, lines) {
      view.advanced(source, taken, lines)
      if (isStandardInput(sources[source])) input?.advanced(taken)
    },
    finished(source, amount) {
      amounts.set(source, amount)
      session.log.debug(here(), 'source read', () => ({ source: sources[source].name, ...loggedAmount(amount) }))
      if (amount.bytes === 0 && messages.hasFailed(source)) view.failed(source)
      else view.finished(source, amount)
    },
    problem: (source, message) => messages.problem(source, message),
    warn: (source, message, subject) => messages.warn(source, message, subject),
  }
  const pace = createPace(interruption.signal)
  try {
    if (origin) await scanConcurrently(sources, rules, limits, events, pace, origin)
    else await scanAll(sources, rules, limits, events, pace, workerPool)
  } finally {
    input?.stop()
  }
  messages.end()
  view.end()
  progress.stop()
  const isInterrupted = interruption.exitCode !== undefined
  if (isInterrupted) warnings.warn('interrupted: not all of the data was read')
  const readings = [...amounts].map(([index, amount]) => {
    return { source: sources[index], amount, failed: messages.hasFailed(index) }
  })
  const concluded = concludeReading(run, readings, rules, { progress, ifNothing: isInterrupted ? '' : undefined })
  const found = tally.problems()
  const isReadable = sources.some((_, index) => !messages.hasFailed(index)) || found.length > 0
  const { examined } = concluded
  const isReported = isReadable && (await finishScan(found, { ...run, examined, progress, interruption }))
  const failed = run.failed || messages.failed || concluded.failed || !isReported
  return exitCodeOf({ problems: found, failed, warnings, interrupted: interruption.exitCode, options })
}

/** Somebody may wait at a terminal for the end of a pipe that has none. */
function watchInput({ options, sources, session }: ScanRun): OpenInput | undefined {
  const { err, programName } = session
  const isWatched = !options.quiet && err.isTerminal && sources.some(isStandardInput)
  if (!isWatched || inspectStandardInput().kind !== 'pipe') return undefined
  return watchOpenInput({
    repeat: startRepeating,
    hint: (problems) => err.write(describeOpenInput(problems, programName)),
  })
}

/** How much was read, as fields of the log. */
function loggedAmount({ bytes, lines, entries, formats }: Amount): Fields {
  return { bytes, lines, entries, formats: formats.join(',') }
}
