import type { CompiledRules, Detection } from '@omen/engine'
import { localOffset, monotonic, startTicking } from '../console/clock.js'
import { createProgress, type Progress } from '../console/progress/progress.js'
import { errorLine } from '../console/standard-error.js'
import { describeProblem } from '../console/summary.js'
import { formatCount, formatNumber } from '../console/text/amounts.js'
import {
  type FollowOutcome,
  followSources,
  openStateFile,
  type StateFile,
  systemClock,
} from '../follow/follow-sources.js'
import type { Notifier } from '../output/notification/batcher.js'
import { prepareRules } from '../rules/loading/prepare-rules.js'
import type { Session } from '../session.js'
import type { Source } from '../sources/source.js'
import { concludeReading } from './conclude-reading.js'
import { createSourceFinder, warnOfTypes } from './find-sources.js'
import { attempt, exitCodeOf, summarize, writeFindings } from './finish-scan.js'
import { catchInterruption, type Interruption } from './interruption.js'
import { describeError, notifiedProblem, startNotifier } from './notifications.js'
import type { ScanRun } from './run-scan.js'
import { stageNamesOf, stageOf } from './scan-view.js'
import { createTally, type Problem, type TalliedSource } from './tally.js'

/** The most hits that the report of a run without end has for each problem in each source: the first ones. */
const MAX_HITS = 10_000

/**
 * Follows the sources, or continues from where the last run stopped: detections are printed as they fire, notifications are
 * sent in batches, and the report is written at the end. Returns the exit code.
 */
export async function runFollow(run: ScanRun): Promise<number> {
  const { options, session } = run
  const state = options.state === undefined ? undefined : openStateFile(options.state)
  const interruption = catchInterruption(process)
  const progress = createProgress(session.out, { quiet: options.quiet, clock: monotonic, tick: startTicking })
  session.shareScreen(progress)
  try {
    const parsing = progress.stage('Parsing rules', 'rules')
    parsing.start()
    const rules = await prepareRules(options, session)
    parsing.done(rules.rules.length)
    warnOfTypes(run.sources, rules, run.warnings.warn)
    const notifier = await startNotifier(run, state?.saved?.outbox, interruption.signal)
    return await follow(run, { rules, state, notifier, progress, interruption })
  } finally {
    progress.stop()
    interruption.release()
    state?.close()
  }
}

interface FollowDeps {
  readonly rules: CompiledRules
  readonly state: StateFile | undefined
  readonly notifier: Notifier | undefined
  readonly progress: Progress
  readonly interruption: Interruption
}

async function follow(run: ScanRun, deps: FollowDeps): Promise<number> {
  const { options, session, plan, sources, origin, warnings } = run
  const { rules, state, notifier, progress, interruption } = deps
  const { timestamps, skip } = session.loaded.settings
  const expand = origin ? () => origin.findMore() : findsMore(run) ? createSourceFinder(options, session) : undefined
  const keepsHits = plan.report.kind !== 'none' || plan.rescue.kind !== 'none'
  const tallied: TalliedSource[] = []
  const tally = createTally(tallied, { keepsHits, ...(options.follow && { maxHits: MAX_HITS }) })
  const view = showFollowing(progress, sources)
  let { failed } = run

  function found(source: Source, detections: readonly Detection[], path: string): void {
    tally.add(indexOf(tallied, source), inFile(source, detections, path))
    view.problems(tally.size)
    for (const problem of groupByProblem(detections)) {
      const placed = source.labels ? { ...problem, places: [source.name] } : problem
      notifier?.add(notifiedProblem(placed))
      if (!options.follow) continue
      for (const line of describeProblem(placed, session.out, localOffset, session.programName)) progress.print(line)
    }
  }

  const { sources: amounts, isInterrupted } = await followSources({
    sources,
    ...(expand && { expand }),
    ...(origin && { origin }),
    rules,
    detector: {
      timestamps,
      skip,
      // An origin applies these limits itself.
      ...(options.since !== undefined && !origin && { since: options.since }),
      ...(options.until !== undefined && !origin && { until: options.until }),
    },
    found: (source, detections, { path }) => found(source, detections, path),
    onProblem(message) {
      failed = true
      session.err.write(errorLine('Data', message))
    },
    onWarning: warnings.warn,
    ...(state && { state }),
    outbox: () => notifier?.pending() ?? [],
    once: !options.follow,
    signal: AbortSignal.any([interruption.signal, session.closed]),
    clock: systemClock,
    onProgress: ({ lines }) => view.lines(lines),
  })
  view.end(amounts)
  progress.stop()
  const readings = amounts.map((reading) => ({ ...reading, failed }))
  const nothingNew = state === undefined ? undefined : 'Nothing new was read.'
  const ifNothing = isInterrupted || failed ? '' : nothingNew
  const concluded = concludeReading(run, readings, rules, { progress, ifNothing })
  if (concluded.failed) failed = true
  if (tally.leftOut > 0) {
    const most = formatCount(MAX_HITS, 'hit')
    warnings.warn(
      `the report has the first ${most} of each problem in each source: ${formatNumber(tally.leftOut)} more were found`,
    )
  }
  const problems = tally.problems()
  summarize(problems, session, progress, isInterrupted ? 0 : concluded.examined)
  const writing = { session, progress, interruption }
  if (!(await attempt(session, () => writeFindings(plan.report, problems, writing)))) failed = true
  const rescue = () => writeFindings(plan.rescue, problems, writing)
  if (!(await deliverRest(notifier, session, state, rescue))) failed = true
  return exitCodeOf({ problems, failed, warnings, interrupted: interruption.exitCode, options })
}

/** Sends the notifications that are pending. If that fails, they are saved for the next run or written to a report. */
async function deliverRest(
  notifier: Notifier | undefined,
  session: Session,
  state: StateFile | undefined,
  rescue: () => Promise<unknown>,
): Promise<boolean> {
  if (notifier === undefined) return true
  try {
    await notifier.flush()
    await state?.writeOutbox([])
    return true
  } catch (error) {
    session.err.write(describeError(error))
    await attempt(session, async () => state?.writeOutbox(notifier.pending()))
    await attempt(session, rescue)
    return false
  }
}

/** Standard input has an end, and following ends with it. */
function findsMore({ options, sources }: ScanRun): boolean {
  return options.follow && !sources.some(({ files }) => files.some(({ path }) => path === '-'))
}

function indexOf(tallied: TalliedSource[], source: Source): number {
  const known = tallied.findIndex(({ name }) => name === source.name)
  return known >= 0 ? known : tallied.push(source) - 1
}

/** If a source has several files, each hit names its file. */
function inFile({ name, files }: Source, detections: readonly Detection[], path: string): readonly Detection[] {
  if ((path === name && files.length === 1) || path === '-') return detections
  return detections.map((detection) => ({
    ...detection,
    hits: detection.hits.map(({ timestamp, entry, line, file = path, extracted }) => {
      return { timestamp, entry, line, file, ...(extracted && { extracted }) }
    }),
  }))
}

/** Detections that fire together are reported in one line for each problem. */
function groupByProblem(detections: readonly Detection[]): Omit<Problem, 'hits'>[] {
  const groups = new Map<string, Omit<Problem, 'hits'> & { detections: number }>()
  for (const { cre, ruleId, ruleHash, hits } of detections) {
    const group = groups.get(cre.id)
    if (group) group.detections++
    else groups.set(cre.id, { cre, ruleId, ruleHash, detections: 1, first: hits[0].timestamp })
  }
  return [...groups.values()]
}

/** The stages of a run that follows. How much was read of each source is shown at the end. */
function showFollowing(progress: Progress, sources: readonly Source[]) {
  const problems = progress.stage('Problems detected', 'problems')
  const readings = new Map(stageNamesOf(sources).map((name) => [name, progress.stage(`Reading ${name}`, 'bytes')]))
  const matching = progress.stage('Matching lines', 'lines')
  for (const stage of [problems, ...readings.values(), matching]) stage.start()
  let found = 0
  return {
    problems(count: number) {
      found = count
      problems.update(count)
    },
    lines: (count: number) => matching.update(count),
    end(amounts: FollowOutcome['sources']) {
      problems.done(found)
      const bytes = new Map<string, number>()
      for (const { source, amount } of amounts) {
        const name = stageOf(source)
        bytes.set(name, (bytes.get(name) ?? 0) + amount.bytes)
      }
      for (const [name, stage] of readings) stage.done(bytes.get(name) ?? 0)
      matching.done(amounts.reduce((sum, { amount }) => sum + amount.lines, 0))
    },
  }
}
