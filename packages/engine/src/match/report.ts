import type { CreRecord } from '../rules/compiled.js'
import type { Extracted, PublicDetection, PublicHit } from './detection.js'

/** All detections of one CRE. */
export interface Problem {
  readonly cre: CreRecord
  readonly ruleId: string
  readonly ruleHash: string
  /** The number of times the rule fired. */
  readonly detections: number
  /** The hits of all detections, in the order in which they fired. */
  readonly hits: readonly ProblemHit[]
}

export interface ProblemHit {
  readonly timestamp: bigint
  readonly entry: string
  readonly line: number
  /** The name of the data source, if it has one. */
  readonly source?: string
  /** The file, if the source has several. */
  readonly file?: string
  readonly extracted?: Extracted
}

/** Groups detections into problems. */
export interface Findings {
  /** Adds a detection and reads its entries. `source` is the name of the data source. */
  add(detection: PublicDetection, source?: string): void
  /** The problems so far: most severe first, then by earliest first timestamp, then by CRE id. */
  problems(): Problem[]
}

/** A problem in the report file. */
export interface ReportedProblem {
  readonly cre: CreRecord
  readonly hits: readonly ReportedHit[]
  readonly id: string
  readonly rule_hash: string
  readonly rule_id: string
  /** The timestamp of the first hit in the list. */
  readonly timestamp: string
}

export interface ReportedHit {
  readonly timestamp: string
  readonly entry: string
  readonly line: number
  readonly source?: string
  readonly file?: string
  readonly extracted?: Extracted
}

/** Options of `createFindings`. */
export interface FindingsOptions {
  /** Keeps only this many first hits of each problem; all detections are counted. All by default. */
  readonly mostHits?: number
}

/**
 * Starts an empty collection of findings.
 *
 * @example
 * const findings = createFindings()
 * for await (const detection of detect(rules, chunks)) findings.add(detection, 'broker')
 * const report = reportProblems(findings.problems(), () => 0)
 */
export function createFindings({ mostHits = Number.POSITIVE_INFINITY }: FindingsOptions = {}): Findings {
  const byId = new Map<string, Problem & { detections: number; readonly hits: ProblemHit[] }>()
  return {
    add({ cre, ruleId, ruleHash, hits }, source) {
      let problem = byId.get(cre.id)
      if (problem === undefined) {
        problem = { cre, ruleId, ruleHash, detections: 0, hits: [] }
        byId.set(cre.id, problem)
      }
      problem.detections++
      for (let i = 0; i < hits.length && problem.hits.length < mostHits; i++) problem.hits.push(keep(hits[i]!, source))
    },
    problems: () => [...byId.values()].map((problem) => ({ ...problem, hits: [...problem.hits] })).sort(bySeverity),
  }
}

/**
 * Converts problems to the detection report: plain data in the same order, with timestamps in RFC 3339 with the offset that
 * `offsetMinutes` returns for a time in nanoseconds.
 *
 * @example
 * JSON.stringify(reportProblems(findings.problems(), () => 0), null, 2)
 */
export function reportProblems(
  problems: readonly Problem[],
  offsetMinutes: (timestamp: bigint) => number,
): ReportedProblem[] {
  return problems.map(({ cre, ruleId, ruleHash, hits: found }) => {
    const hits = found.map(({ timestamp, ...rest }): ReportedHit => {
      return { timestamp: formatTimestamp(timestamp, offsetMinutes), ...rest }
    })
    return { cre, hits, id: cre.id, rule_hash: ruleHash, rule_id: ruleId, timestamp: hits[0]?.timestamp ?? '' }
  })
}

/** Properties that are absent stay absent in the report. */
function keep({ timestamp, entry, line, file, extracted }: PublicHit, source: string | undefined): ProblemHit {
  return {
    timestamp,
    entry,
    line,
    ...(source === undefined ? {} : { source }),
    ...(file === undefined ? {} : { file }),
    ...(extracted === undefined ? {} : { extracted }),
  }
}

/** A record without severity counts as critical. */
function bySeverity(a: Problem, b: Problem): number {
  return (
    (a.cre.severity ?? 0) - (b.cre.severity ?? 0) ||
    compare(a.hits[0]?.timestamp ?? 0n, b.hits[0]?.timestamp ?? 0n) ||
    compare(a.cre.id, b.cre.id)
  )
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const NANOSECONDS = 1_000_000_000n
const MINUTE = 60n * NANOSECONDS

/**
 * Formats a time as RFC 3339 with the offset at that time, and with as many digits of the fraction as needed.
 *
 * @example
 * formatTimestamp(1_772_366_403_500_000_000n, () => 60)   // 2026-03-01T13:00:03.5+01:00
 */
export function formatTimestamp(timestamp: bigint, offsetMinutes: (timestamp: bigint) => number): string {
  const offset = offsetMinutes(timestamp)
  const local = timestamp + BigInt(offset) * MINUTE
  const fraction = ((local % NANOSECONDS) + NANOSECONDS) % NANOSECONDS
  const seconds = (local - fraction) / NANOSECONDS
  const written = new Date(Number(seconds) * 1000).toISOString()
  return `${written.slice(0, written.lastIndexOf('.'))}${formatFraction(fraction)}${formatOffset(offset)}`
}

function formatFraction(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return ''
  return `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}`
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z'
  const distance = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
