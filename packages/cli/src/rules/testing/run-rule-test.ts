import { type CompiledRules, compileRules, type Detection, RulesError } from '@omen/engine'
import { Failure } from '../../failure.js'
import type { CompiledRule } from '../describe-detection.js'
import { describeRulesProblem } from '../loading/installed-rules.js'
import { readRuleFile } from '../loading/rule-files.js'
import { type Diagnosis, diagnose } from './diagnose.js'
import { scanLog } from './scan-log.js'
import type { RuleTest } from './test-folders.js'

/** The result for one log. */
export interface LogOutcome {
  readonly file: string
  readonly expected: 'hit' | 'miss'
  readonly passed: boolean
  /** The number of detections. */
  readonly count: number
  /** The first detections. */
  readonly detections: readonly Detection[]
  /** Warnings about the log, such as missing timestamps. */
  readonly warnings: readonly string[]
  /** For each rule that should have fired but did not. */
  readonly diagnoses: readonly (Diagnosis & { readonly id: string })[]
}

/** The result of a rule test. */
export interface TestOutcome {
  readonly test: RuleTest
  readonly passed: boolean
  readonly rules: readonly CompiledRule[]
  readonly logs: readonly LogOutcome[]
  /** The errors that prevented the test. */
  readonly errors: readonly string[]
}

/**
 * Runs a rule test: every rule must fire on at least one hit log, on every hit log at least one rule must fire, and no rule may fire
 * on a miss log.
 *
 * @example
 * (await runRuleTest(findRuleTests('rules/cre-2026-10001')[0])).passed
 */
export async function runRuleTest(test: RuleTest): Promise<TestOutcome> {
  const nothing = { test, passed: false, rules: [], logs: [] }
  try {
    const rules = await compileRules(test.documents.map(readRuleFile))
    if (test.hits.length === 0) {
      const errors = ['no hit.log in this folder: add one with lines on which the rule must fire']
      return { ...nothing, rules: rules.rules, errors }
    }
    const logs = [...(await runHits(rules, test.hits)), ...(await runMisses(rules, test.misses))]
    return { test, passed: logs.every(({ passed }) => passed), rules: rules.rules, logs, errors: [] }
  } catch (error) {
    return { ...nothing, errors: reasonsOf(error, test) }
  }
}

async function runHits(rules: CompiledRules, paths: readonly string[]): Promise<LogOutcome[]> {
  const fired = new Set<string>()
  const scans = []
  for (const path of paths) {
    scans.push({ path, scan: await scanLog(rules, path, {}, ({ cre }) => fired.add(cre.id)) })
  }
  const silent = rules.rules.filter(({ cre }) => !fired.has(cre.id))
  const outcomes: LogOutcome[] = []
  for (const [number, { path, scan }] of scans.entries()) {
    // A rule that fired on no log is diagnosed once; for a log without detections, every rule is.
    const unmet = scan.count === 0 ? rules.rules : number === 0 ? silent : []
    const diagnoses = []
    for (const rule of unmet) diagnoses.push({ id: rule.cre.id, ...(await diagnose(rules, rule, path)) })
    outcomes.push({ ...scan, file: path, expected: 'hit', passed: unmet.length === 0, diagnoses })
  }
  return outcomes
}

async function runMisses(rules: CompiledRules, paths: readonly string[]): Promise<LogOutcome[]> {
  const outcomes: LogOutcome[] = []
  for (const path of paths) {
    const scan = await scanLog(rules, path)
    outcomes.push({ ...scan, file: path, expected: 'miss', passed: scan.count === 0, diagnoses: [] })
  }
  return outcomes
}

function reasonsOf(error: unknown, test: RuleTest): string[] {
  if (error instanceof RulesError) return error.problems.map(describeRulesProblem)
  if (error instanceof Failure) return [error.message]
  const { path = test.folder, message } = error as NodeJS.ErrnoException
  return [`${path}: ${message}`]
}
