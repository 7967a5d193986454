import { formatCount } from '../../console/text/amounts.js'
import { createPaint } from '../../console/text/paint.js'
import type { RulesContext } from '../rules-verb.js'
import { conditionNumbers, describeOutcome } from './describe-outcome.js'
import { type LogOutcome, runRuleTest, type TestOutcome } from './run-rule-test.js'
import { findRuleTests } from './test-folders.js'

/** The parsed command line of `omen rules test`. */
export interface TestCommand {
  /** Folders of rules and logs, or documents; by default the current folder. */
  readonly operands: readonly string[]
  readonly json?: boolean
  /** Show only failures. */
  readonly quiet?: boolean
}

/**
 * Runs `omen rules test [path…]`: runs rules on their `hit` and `miss` logs and shows which lines matched. Returns the exit code: 1 if
 * a rule did not fire on a hit log, or fired on a miss log. With `json`, prints a list of `{folder, passed, rules, errors, logs:
 * [{file, expected, passed, count, detections: [{id, hits: [{line, condition, entry}]}], reasons}]}`.
 *
 * @example
 * await testRules({ operands: ['rules'] }, context)
 */
export async function testRules(command: TestCommand, { out }: RulesContext): Promise<number> {
  const { operands, json = false, quiet = false } = command
  const tests = (operands.length > 0 ? operands : ['.']).flatMap(findRuleTests)
  const outcomes: TestOutcome[] = []
  for (const test of tests) {
    const outcome = await runRuleTest(test)
    outcomes.push(outcome)
    if (!json && !(quiet && outcome.passed)) out.write(describeOutcome(outcome, out))
  }
  const failed = countRules(outcomes.filter(({ passed }) => !passed))
  const passed = countRules(outcomes.filter((outcome) => outcome.passed))
  if (json) out.write(`${JSON.stringify(outcomes.map(outcomeView), null, 2)}\n`)
  else if (!quiet) {
    const paint = createPaint(out.colours)
    const summary = `${formatCount(passed, 'rule')} passed, ${failed} failed`
    out.write(`${paint(failed > 0 ? 'bad' : 'good', summary)}\n`)
  }
  return failed > 0 ? 1 : 0
}

/** A document that is invalid counts as one rule. */
function countRules(outcomes: readonly TestOutcome[]): number {
  return outcomes.reduce((sum, { rules }) => sum + Math.max(1, rules.length), 0)
}

function outcomeView({ test, passed, rules, errors, logs }: TestOutcome) {
  const ids = rules.map(({ cre }) => cre.id)
  return { folder: test.folder, passed, rules: ids, errors, logs: logs.map((log) => logView(log, rules)) }
}

function logView({ file, expected, passed, count, detections, diagnoses }: LogOutcome, rules: TestOutcome['rules']) {
  return {
    file,
    expected,
    passed,
    count,
    detections: detections.map(({ cre, hits }) => {
      const numbers = conditionNumbers(rules.find((rule) => rule.cre.id === cre.id)!)
      return { id: cre.id, hits: hits.map(({ line, entry }, index) => ({ line, condition: numbers[index], entry })) }
    }),
    reasons: diagnoses,
  }
}
