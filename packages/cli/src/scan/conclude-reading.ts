import type { CompiledRules } from '@omen/engine'
import { localOffset } from '../console/clock.js'
import { here } from '../console/log.js'
import type { Progress } from '../console/progress/progress.js'
import { errorLine } from '../console/standard-error.js'
import { createPaint } from '../console/text/paint.js'
import { sanitize } from '../console/text/sanitize.js'
import { describeSkipped, mayBeLog } from '../sources/skipped.js'
import type { Source } from '../sources/source.js'
import {
  describeExamination,
  describeNothingExamined,
  examine,
  type SourceReading,
  type TimeLimits,
} from './examination.js'
import type { ScanRun } from './run-scan.js'

export interface Conclusion {
  /** The number of entries that rules were tried on. */
  readonly examined: number
  /** Nothing was examined where there must be something. */
  readonly failed: boolean
}

/**
 * Prints what was read and what was not, on a terminal and in the log, and warns if nothing was examined. Where that is normal, as
 * in a run that continues where the last one stopped, `ifNothing` is printed instead.
 */
export function concludeReading(
  run: ScanRun,
  readings: readonly SourceReading[],
  rules: CompiledRules,
  { progress, ifNothing }: { readonly progress: Progress; readonly ifNothing?: string | undefined },
): Conclusion {
  const { options, session, skipped, warnings } = run
  const { out, log } = session
  // What another program could read is worth a warning only to those who want to know that everything was read.
  const warned = options.strict ? skipped.filter(mayBeLog) : []
  const listed = options.strict ? skipped.filter((file) => !mayBeLog(file)) : skipped
  const examination = examine(readings, rules, { limits: limitsOf(run), skipped: listed })
  const { entries: examined, totals } = examination
  const nothing = describeNothingExamined(examination, localOffset)
  const accepted = ifNothing ?? (options.allowEmpty ? `${nothing}.` : undefined)
  const isWarned = nothing !== undefined && accepted === undefined
  const lines = describeExamination(examination, localOffset)
  for (const line of lines) log.info(here(), line)
  // A warning that no entry is in the time range says what the first line does.
  const shown = isWarned && totals.entries > 0 ? lines.slice(1) : lines
  const paint = createPaint(out.colours)
  const instead = nothing !== undefined && accepted ? [accepted] : []
  if (out.isTerminal) for (const line of [...shown, ...instead]) progress.print(paint('dim', sanitize(line)))
  for (const line of describeSkipped(warned)) warnings.warn(`skipped ${line}`)
  if (!isWarned) return { examined, failed: false }
  const isMissingInput = options.failOn !== undefined && readings.some(isEmptyInput)
  if (isMissingInput) session.err.write(errorLine('Data', `${nothing}. If that is expected, add --allow-empty`))
  else warnings.warn(nothing)
  return { examined, failed: isMissingInput }
}

/** An origin does not read what is outside the time range. */
function limitsOf({ options, origin }: ScanRun): TimeLimits {
  if (options.since === undefined && options.until === undefined) return 'none'
  return origin ? 'reading' : 'matching'
}

function isEmptyInput({ source, amount }: SourceReading): boolean {
  return isStandardInput(source) && amount.entries === 0
}

/** Whether a source is standard input. */
export function isStandardInput({ files }: Source): boolean {
  return files.some(({ path }) => path === '-')
}
