import { type Detection, formatTimestamp, severityLabel } from '@omen/engine'

/** What is kept of all detections of one rule for the summary. */
export interface Tally {
  readonly cre: Detection['cre']
  count: number
  readonly first: bigint
}

/** Counts detections by rule. */
export function countProblems() {
  const problems = new Map<string, Tally>()
  return {
    add({ cre, hits }: Detection): void {
      const known = problems.get(cre.id)
      if (known) known.count++
      else problems.set(cre.id, { cre, count: 1, first: hits[0].timestamp })
    },
    /** The worst first, then the earliest. */
    sorted: () => [...problems.values()].sort(compareTallies),
  }
}

function compareTallies(a: Tally, b: Tally): number {
  const severity = (a.cre.severity ?? 0) - (b.cre.severity ?? 0)
  if (severity !== 0) return severity
  if (a.first !== b.first) return a.first < b.first ? -1 : 1
  return a.cre.id < b.cre.id ? -1 : 1
}

/** One line for a problem: `CRE-2026-0001 critical [3 hits @ 2026-03-01T12:00:01Z]`. */
export function describeProblem({ cre, count, first }: Tally): string {
  return `${cre.id} ${severityLabel(cre.severity)} [${count} hits @ ${formatTimestamp(first, localOffset)}]`
}

/** Minutes east of UTC at a time, in the zone that `TZ` names. */
export function localOffset(nanoseconds: bigint): number {
  return -new Date(Number(nanoseconds / 1_000_000n)).getTimezoneOffset()
}

const SCALE = ['', 'k', 'M', 'G', 'T']

/** An amount for people: `950 lines`, `1.2M lines`, `3.4 MB`. */
function formatAmount(amount: number, unit: string): string {
  let step = 0
  let value = amount
  while (value >= 1000 && step < SCALE.length - 1) {
    value /= 1000
    step++
  }
  const digits = step === 0 ? String(Math.round(value)) : value.toFixed(1)
  return unit === 'bytes' ? `${digits} ${SCALE[step]}B` : `${digits}${SCALE[step]} ${unit}`
}

function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)}ms` : `${(milliseconds / 1000).toFixed(2)}s`
}

/** A stage that is over: `Parsing rules done! [12 rules in 3ms; 4.0k rules/s]`. */
export function describeStage(stage: string, amount: number, unit: string, milliseconds: number): string {
  const rate = formatAmount((amount * 1000) / Math.max(1, milliseconds), unit)
  return `${stage} done! [${formatAmount(amount, unit)} in ${formatDuration(milliseconds)}; ${rate}/s]`
}
