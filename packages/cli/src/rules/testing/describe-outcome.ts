import { basename } from 'node:path'
import type { Detection } from '@omen/engine'
import type { Screen } from '../../console/screen.js'
import { formatCount } from '../../console/text/amounts.js'
import { createPaint, type Paint } from '../../console/text/paint.js'
import { sanitize } from '../../console/text/sanitize.js'
import { truncate } from '../../console/text/width.js'
import type { CompiledRule } from '../describe-detection.js'
import type { Diagnosis } from './diagnose.js'
import type { LogOutcome, TestOutcome } from './run-rule-test.js'

/** The number of detections that are shown for a log. */
const SHOWN = 3

/** The longest part of an entry that is shown outside a terminal. */
const LONGEST_EXCERPT = 160

/**
 * Describes the result of a rule test: which lines matched, or why none did.
 *
 * @example
 * out.write(describeOutcome(await runRuleTest(test), out))
 */
export function describeOutcome(outcome: TestOutcome, screen: Screen): string {
  const { test, passed, rules, logs, errors } = outcome
  const paint = createPaint(screen.colours)
  const names = rules.map(({ cre }) => cre.id).join(', ')
  const verdict = passed ? paint('good', 'ok') : paint('bad', 'FAILED')
  const title = rules.length === 1 ? (rules[0]!.cre.title ?? '') : ''
  const head = `${verdict} ${paint('bold', sanitize(names || test.folder))}${title && `  ${sanitize(title)}`}`
  const width = screen.isTerminal ? screen.columns : LONGEST_EXCERPT
  const lines = [
    screen.isTerminal ? truncate(head, screen.columns) : head,
    ...(names ? [`   ${paint('dim', sanitize(test.folder))}`] : []),
    ...errors.map((error) => `   ${paint('bad', sanitize(error))}`),
    ...logs.flatMap((log) => describeLog(log, rules, paint, width)),
  ]
  return `${lines.join('\n')}\n`
}

function describeLog(log: LogOutcome, rules: readonly CompiledRule[], paint: Paint, width: number): string[] {
  const { file, expected, passed, count, detections, warnings, diagnoses } = log
  const found = count === 0 ? 'no detections' : formatCount(count, 'detection')
  const wanted = passed ? '' : `, but ${expected === 'hit' ? 'the rule must fire' : 'the rule must not fire'}`
  const result = diagnoses.length > 0 && count > 0 ? `${found}, but not every rule fired` : found + wanted
  const shown = detections.slice(0, SHOWN)
  return [
    `   ${sanitize(basename(file))}: ${passed ? result : paint('bad', result)}`,
    ...shown.flatMap((detection, index) => describeDetection(detection, rules, paint, width, index > 0)),
    ...(count > shown.length ? [`     ${paint('dim', `… and ${count - shown.length} more`)}`] : []),
    ...diagnoses.flatMap((diagnosis) => describeDiagnosis(diagnosis, rules.length > 1, paint, width)),
    ...warnings.map((warning) => `     ${paint('warning', `warning: ${sanitize(warning)}`)}`),
  ]
}

/** One line for each hit: the line number, the number of the condition, and the entry. */
function describeDetection(
  { cre, hits }: Detection,
  rules: readonly CompiledRule[],
  paint: Paint,
  width: number,
  isFurther: boolean,
): string[] {
  const rule = rules.find((one) => one.cre.id === cre.id)!
  const numbers = conditionNumbers(rule)
  const label =
    rules.length > 1 ? [`     ${cre.id}`] : isFurther && hits.length > 1 ? [`     ${paint('dim', '·')}`] : []
  return [
    ...label,
    ...hits.map(({ line, entry }, index) => {
      const condition = rule.terms.length > 1 ? `condition ${numbers[index]}  ` : ''
      const place = `     line ${String(line).padEnd(4)}  ${condition}`
      const [first = ''] = entry.slice(0, LONGEST_EXCERPT * 4).split('\n', 1)
      return paint('dim', place) + truncate(sanitize(first), Math.max(20, width - place.length))
    }),
  ]
}

/** The number of the condition of each hit, from 1: hits are in the order of the conditions. */
export function conditionNumbers({ terms }: CompiledRule): number[] {
  return terms.flatMap(({ count }, index) => Array.from({ length: count }, () => index + 1))
}

function describeDiagnosis(
  diagnosis: Diagnosis & { readonly id: string },
  isNamed: boolean,
  paint: Paint,
  width: number,
): string[] {
  const { id, reason, conditions } = diagnosis
  const lines = conditions.map(({ condition, needed, met, lines }) => {
    const isFine = needed === 0 ? met === 0 : met >= needed
    const amount = needed === 0 ? `matched ${met}×, must not match` : `matched ${met}×, needed ${needed}×`
    const where = lines.length > 0 ? ` (line ${lines.join(', ')}${met > lines.length ? ' …' : ''})` : ''
    const shown = truncate(sanitize(condition), Math.max(30, width - amount.length - where.length - 12))
    return `       ${paint(isFine ? 'good' : 'bad', isFine ? '+' : '-')} ${shown}: ${amount}${where}`
  })
  return [`     ${paint('bad', `${isNamed ? `${id}: ` : ''}${reason}`)}`, ...lines]
}
